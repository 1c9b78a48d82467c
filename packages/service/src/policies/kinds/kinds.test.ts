import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../test/harness/run/processor-time.js'
import { createValidatorCompiler } from '../../http/validation/validator.js'
import { parseRange } from '../../outbound/index.js'
import { ApiError } from '../../shared/errors.js'
import { createPolicyChecks } from '../check-policy.js'
import { type KindName, kindNames, kinds } from './index.js'
import type { PolicyUse } from './kind.js'

const compile = createValidatorCompiler()
const requireUrl = async () => undefined
const loose = createPolicyChecks({ compile, requireUrl, urlRules: { strict: false } })
const strict = createPolicyChecks({ compile, requireUrl, urlRules: { strict: true } })

type Config = Record<string, unknown>

/** The config as it would be stored, or the error that refuses it. */
function save(
  kind: KindName,
  config: Config,
  use: Partial<PolicyUse> & { strict?: boolean } = {},
): Config | ApiError {
  const { phase = kinds[kind].phases[0], action = kinds[kind].actions[0], strict: isStrict = false } = use
  const checks = isStrict ? strict : loose
  try {
    const completed = checks.completeConfig(kind, structuredClone(config))
    checks.requireValidUse({ kind, config: completed, phase, action })
    return completed
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
}

const accepted: [KindName, Config, Config?][] = [
  ['model_allowlist', { models: ['gpt-4o', 'anthropic/*', '*'] }],
  ['model_denylist', { models: ['o1*'] }],
  [
    'keywords',
    { words: ['project nightfall'] },
    { words: ['project nightfall'], caseSensitive: false, restore: false },
  ],
  ['keywords', { words: ['Nightfall'], caseSensitive: true, restore: false }],
  [
    'pattern',
    {
      patterns: [
        { name: 'badge', regex: '\\bEMP-[0-9]{6}\\b' },
        { name: 'word', regex: '(?i)nightfall' },
      ],
      restore: false,
    },
  ],
  ['pii', { entities: ['email', 'iban'] }, { entities: ['email', 'iban'], restore: false }],
  ['secrets', {}, { restore: false }],
  ['limits', { maxInputTokens: 8_000 }],
  ['limits', { maxOutputTokens: 1, maxMessages: 40 }],
  ['tools', { allow: [] }],
  ['tools', { allow: ['search_*'], deny: ['*_delete'] }],
  ['expression', { cel: 'request.stream && key.role != "manager"' }],
  [
    'http',
    { url: 'http://127.0.0.1:9000/check' },
    { url: 'http://127.0.0.1:9000/check', timeoutMs: 1_000, onError: 'block' },
  ],
  ['http', { url: 'https://guard.example.com', timeoutMs: 50, onError: 'allow' }],
]

const patternOf = (regex: string) => ({
  patterns: [
    { name: 'good', regex: 'x' },
    { name: 'bad', regex },
  ],
})

const refused: [KindName, Config, string, RegExp?][] = [
  ['model_allowlist', {}, 'config.models', /required/],
  ['model_allowlist', { models: [] }, 'config.models'],
  ['model_denylist', { models: ['gpt-4o', ''] }, 'config.models.1'],
  ['model_denylist', { models: ['gpt-*-mini'] }, 'config.models.0', /only as its last character/],
  ['model_denylist', { models: ['a', 'a'] }, 'config.models'],
  ['keywords', { words: ['fine', ' '] }, 'config.words.1'],
  ['keywords', { words: ['fine'], casesensitive: true }, 'config.casesensitive', /unknown field/],
  ['keywords', { words: ['fine'], caseSensitive: 'yes' }, 'config.caseSensitive'],
  ['pattern', { patterns: [] }, 'config.patterns'],
  ['pattern', { patterns: [{ name: 'x' }] }, 'config.patterns.0.regex', /required/],
  ['pattern', patternOf('(a'), 'config.patterns.1.regex', /missing closing/],
  ['pattern', patternOf('(a)\\1'), 'config.patterns.1.regex', /no backreferences/],
  ['pattern', patternOf('(?<=a)b'), 'config.patterns.1.regex', /no lookaround/],
  ['pattern', patternOf('a(?=b)'), 'config.patterns.1.regex', /no lookaround/],
  ['pattern', patternOf('a{1001}'), 'config.patterns.1.regex', /repeats up to 1,000/],
  ['pattern', patternOf('(a{100}){100}'), 'config.patterns.1.regex'],
  ['pattern', patternOf('(?i)[\\pL\\pN]'), 'config.patterns.1.regex', /cannot be compiled/],
  ['pattern', patternOf('.{500}'), 'config.patterns.1.regex', /more than 256/],
  ['pattern', patternOf('x*'), 'config.patterns.1.regex', /empty text/],
  ['pattern', patternOf('a'.repeat(513)), 'config.patterns.1.regex'],
  [
    'pattern',
    {
      patterns: [
        { name: 'x', regex: 'a' },
        { name: 'x', regex: 'b' },
      ],
    },
    'config.patterns.1.name',
    /earlier/,
  ],
  ['pii', { entities: [] }, 'config.entities'],
  ['pii', { entities: ['email', 'passport'] }, 'config.entities.1', /one of email, phone/],
  ['secrets', { anything: 1 }, 'config.anything', /unknown field/],
  ['limits', {}, 'config', /at least one/],
  ['limits', { maxMessages: 0 }, 'config.maxMessages'],
  ['limits', { maxInputTokens: 1.5 }, 'config.maxInputTokens'],
  ['limits', { maxInputTokens: null }, 'config.maxInputTokens'],
  ['tools', {}, 'config', /at least one/],
  ['tools', { deny: [] }, 'config.deny'],
  ['expression', { cel: 'request.modle == "x"' }, 'config.cel', /line 1, column 9: No such key: modle/],
  ['expression', { cel: 'a'.repeat(4_097) }, 'config.cel'],
  ['http', { url: 'https://guard.example.com', timeoutMs: 49 }, 'config.timeoutMs'],
  ['http', { url: 'https://guard.example.com', timeoutMs: 10_001 }, 'config.timeoutMs'],
  ['http', { url: 'https://guard.example.com', onError: 'redact' }, 'config.onError', /block, allow/],
]

describe('a config', () => {
  test.each(accepted)('of %s may be %j', (kind, config, stored = config) => {
    expect(save(kind, config)).toEqual(stored)
  })

  test.each(refused)('of %s may not be %j, and %s is named', (kind, config, path, message = /./) => {
    const error = save(kind, config)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      type: 'invalid_request',
      extras: { details: [{ path, message: expect.stringMatching(message) }] },
    })
  })

  test('reports the faults of all its patterns at once', () => {
    const patterns = ['(', 'fine', '['].map((regex, index) => ({ name: `${index}`, regex }))
    expect(save('pattern', { patterns })).toMatchObject({
      extras: { details: [{ path: 'config.patterns.0.regex' }, { path: 'config.patterns.2.regex' }] },
    })
  })

  test('may not hold many patterns that are large together', () => {
    const patterns = Array.from({ length: 10 }, (_, index) => ({ name: `${index}`, regex: '[a-z]{200}' }))
    expect(save('pattern', { patterns })).toMatchObject({
      extras: {
        details: [{ path: 'config.patterns.5.regex', message: expect.stringContaining('1024 steps') }],
      },
    })
  })

  test('full of patterns that are too large is refused after the first of them', () => {
    const patterns = Array.from({ length: 50 }, (_, index) => ({
      name: `${index}`,
      regex: '\\pL{1000}'.repeat(56),
    }))
    const begun = process.cpuUsage()
    expect(save('pattern', { patterns })).toMatchObject({
      extras: { details: [{ path: 'config.patterns.0.regex' }] },
    })
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(3_000))
  })
})

describe('the phase and the action', () => {
  const example = new Map(accepted.map(([kind, config]) => [kind, config]))
  const inputOnly = ['model_allowlist', 'model_denylist', 'limits', 'expression']
  const findText = ['keywords', 'pattern', 'pii', 'secrets']

  test.each(kindNames)('of %s are those that make sense', (kind) => {
    const config = example.get(kind) ?? {}
    for (const phase of ['output', 'both'] as const) {
      const result = save(kind, config, { phase })
      if (inputOnly.includes(kind)) expect(result).toMatchObject({ extras: { details: [{ path: 'phase' }] } })
      else expect(result).not.toBeInstanceOf(ApiError)
    }
    const redacting = save(kind, config, { action: 'redact' })
    if (findText.includes(kind)) expect(redacting).not.toBeInstanceOf(ApiError)
    else expect(redacting).toMatchObject({ extras: { details: [{ path: 'action' }] } })
    expect(save(kind, config, { action: 'flag' })).not.toBeInstanceOf(ApiError)
  })

  test('are by default to judge the input and to block', () => {
    for (const kind of kindNames)
      expect([kinds[kind].phases[0], kinds[kind].actions[0]]).toEqual(['input', 'block'])
  })

  test('must be such that there is something to restore', () => {
    const config = { entities: ['email'], restore: true }
    expect(save('pii', config, { action: 'redact', phase: 'both' })).toEqual(config)
    expect(save('pii', config, { action: 'block' })).toMatchObject({
      extras: { details: [{ path: 'config.restore' }] },
    })
    expect(save('pii', config, { action: 'redact', phase: 'output' })).toMatchObject({
      extras: { details: [{ path: 'config.restore' }] },
    })
  })
})

test('a URL that the rules refuse is its own type of error', () => {
  expect(save('http', { url: 'ftp://guard.example.com' })).toMatchObject({ type: 'invalid_webhook_url' })
  expect(save('http', { url: 'http://guard.example.com' }, { strict: true })).toMatchObject({
    type: 'invalid_webhook_url',
  })
  expect(save('http', { url: 'https://guard.example.com' }, { strict: true })).not.toBeInstanceOf(ApiError)
})

test('a guardrail of the tenant may stand in a range that the operator lets through', () => {
  const urlRules = { strict: true, allowedRanges: [parseRange('10.20.0.0/16')] }
  const { completeConfig, requireValidUse } = createPolicyChecks({ compile, requireUrl, urlRules })
  const save = (url: string) => () =>
    requireValidUse({
      kind: 'http',
      config: { ...completeConfig('http', { url }) },
      phase: 'input',
      action: 'block',
    })
  expect(save('https://10.20.1.1/')).not.toThrow()
  expect(save('https://10.21.1.1/')).toThrow()
})
