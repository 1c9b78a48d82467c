import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../../test/harness/run/processor-time.js'
import { compileExpression } from './compile-expression.js'
import type { ExpressionVariables } from './expression-variables.js'

const facts: ExpressionVariables = {
  request: {
    model: 'gpt-4o',
    provider: 'openai',
    dialect: 'chat',
    stream: true,
    inputTokens: 1_200,
    maxOutputTokens: 0,
    messages: 3,
    tools: ['search_web', 'shell_run'],
    tags: { project: 'alpha' },
    session: '',
  },
  tool: { name: '', arguments: {} },
  key: { id: 'key_1', name: 'CI', role: 'member', metadata: { env: 'prod' } },
  user: { id: '', name: '', email: '', role: '' },
  team: { id: 'team_1', name: 'Support' },
  now: new Date('2026-11-14T03:30:00Z'),
}

function judge(cel: string, over: ExpressionVariables = facts): boolean {
  const compiled = compileExpression(cel)
  if ('error' in compiled) throw new Error(compiled.error)
  return compiled.violates(over)
}

function faultOf(cel: string): string {
  const compiled = compileExpression(cel)
  return 'error' in compiled ? compiled.error : 'none'
}

describe('an expression', () => {
  test.each([
    'request.model == "gpt-4o" && request.provider in ["openai", "azure"]',
    'request.stream && key.role != "manager"',
    'request.inputTokens + request.maxOutputTokens > 1000 && request.messages < 4',
    'request.tools.exists(t, t.startsWith("shell"))',
    'request.tools.exists(t, ["exec", "shell"].exists(p, t.contains(p)))',
    '["exec", "shell"].exists(p, request.tools.filter(t, t != "x").exists(t, t.contains(p)))',
    'request.tools.exists(t, t.matches("^shell_(run|exec)$"))',
    'request.model.matches("^gpt-")',
    'size(request.tools) == 2 && request.tools[0] == "search_web"',
    'key.metadata["env"] == "prod" && has(key.metadata.env) && !("team" in key.metadata)',
    'user.id == "" && team.id == "team_1"',
    'now.getHours("Europe/Vienna") == 4 && now.getDayOfWeek() == 6',
    'now > timestamp("2026-11-01T00:00:00Z") && now - timestamp("2026-11-14T00:00:00Z") < duration("4h")',
  ])('can say %s', (cel) => {
    expect(judge(cel)).toBe(true)
    expect(judge(`!(${cel})`)).toBe(false)
  })

  test.each([
    ['request.modle == "x"', 'line 1, column 9: No such key: modle'],
    ['true &&\n  request.foo', 'line 2, column 11: No such key: foo'],
    ['caller.id == "x"', 'line 1, column 1: Unknown variable: caller'],
    ['request.', 'line 1, column 9: Expected IDENTIFIER'],
    ['request.stream ? 1 : 2', 'of type int'],
    ['request.model', 'of type string'],
    ['request.inputTokens > "many"', 'no such overload'],
    ['request.model.reverse() == "x"', 'found no matching overload'],
    ['has(request.foo)', 'line 1, column 5: No such key: foo'],
    ['dyn(request).foo == 1', 'dyn() is not available'],
    ['now > timestamp("tomorrow")', 'line 1, column 7: timestamp("tomorrow") has no value'],
    ['now.getHours("Atlantis") > 3', 'line 1, column 14: "Atlantis" is not a time zone'],
    ['int("many") == 1', 'has no value'],
    ['request.model.matches("(a)\\\\1")', 'line 1, column 23: the pattern is not a valid pattern'],
    ['request.model.matches(key.name)', 'written out'],
    ['request.model.matchesInLinearTime("x")', 'not available'],
  ])('that says %s is refused with the position: %s', (cel, error) => {
    expect(faultOf(cel)).toContain(error)
  })

  test('throws where the facts do not bear it out, rather than letting the call pass', () => {
    expect(() => judge('key.metadata["region"] == "eu"')).toThrow('No such key: region')
    const many = {
      ...facts,
      request: { ...facts.request, tools: Array.from({ length: 257 }, (_, index) => `tool_${index}`) },
    }
    expect(() => judge('request.stream', many)).toThrow('more than 256 tools')
    const long = { ...facts, request: { ...facts.request, tools: ['x'.repeat(129)] } }
    expect(() => judge('request.stream', long)).toThrow('overlong name')
  })

  test('sees nothing in metadata that the key does not have', () => {
    expect(judge('"constructor" in key.metadata || has(key.metadata.toString)')).toBe(false)
  })

  test('cannot be built to take forever or to fill the memory', () => {
    const growing = 'cel.bind(a, [1] + [1], '.repeat(5)
    expect(faultOf(`${growing}true${')'.repeat(5)}`)).toContain('bind() is not available')
    expect(faultOf('request.model.split("").join(request.model) == "x"')).toContain('is not available')
    expect(faultOf('request.tools.map(t, t + t) == []')).toContain('map() is not available')
    expect(faultOf('request.tools.exists(t, request.tools.exists(u, t == u))')).toContain('of nested loops')
    expect(faultOf('[1].exists(a, [1].exists(b, [1].exists(c, a == c)))')).toContain('nested deeper than 2')
    expect(faultOf('request.tools.exists(t, ["a"].exists(p, t.matches("x")))')).toContain(
      'too slow for a loop within',
    )
    expect(faultOf('request.tools.exists(t, now.getHours("UTC") > 3)')).toContain('too slow for a loop')
    expect(faultOf('request.model.matches(".{200}")')).toContain('more than 128 steps')
    expect(faultOf('request.model.matches(".{80}") || request.model.matches("x{80}")')).toContain(
      'more than 128 steps',
    )
    expect(faultOf(`${'('.repeat(100)}true${')'.repeat(100)}`)).toContain('maxDepth')
    expect(faultOf(Array.from({ length: 300 }, () => 'true').join(' && '))).toContain('maxAstNodes')
  })

  test('runs its patterns in linear time, wherever they stand in it', () => {
    const tools = Array.from({ length: 100 }, () => `${'a'.repeat(100)}!`)
    const hostile = { ...facts, request: { ...facts.request, model: `${'a'.repeat(200)}!`, tools } }
    const begun = process.cpuUsage()
    expect(judge('request.model.matches("(a+)+$")', hostile)).toBe(false)
    expect(judge('request.tools.exists(t, t.matches("(a|a)+$"))', hostile)).toBe(false)
    expect(judge('request.tools.filter(t, t != "").all(t, t.matches("(a|aa)+$"))', hostile)).toBe(false)
    expect(
      judge('(request.stream ? request.tools.filter(t, t.matches("(a+)+$")) : [""]).size() > 0', hostile),
    ).toBe(false)
    expect(judge('{"x": "x".matches("(a+)+$")}["x"] || [request.model.matches("(a+)+$")][0]', hostile)).toBe(
      false,
    )
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(5_000))
  })

  test('is either compiled or refused with a message, whatever it is', () => {
    const words = [
      'request',
      '.model',
      '.tools',
      '.exists(t, ',
      't',
      '(',
      ')',
      '[',
      ']',
      '"a"',
      '1',
      '==',
      '&&',
      '!',
      '.matches("a")',
      'now',
      ' ',
      '{',
      '}',
      ':',
      '?',
    ]
    const programs = fc.oneof(
      fc.string(),
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(programs, (cel) => {
        const compiled = compileExpression(cel)
        if ('error' in compiled) expect(compiled.error).not.toBe('')
      }),
    )
  })
})
