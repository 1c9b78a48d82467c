import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { processorMsSince, scaledMs } from '../../../../../test/harness/run/processor-time.js'
import { ApiError } from '../../shared/errors.js'
import { renderPrompt } from './render.js'

const variableName = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,12}$/)
const blanks = fc.stringMatching(/^[ \t]{0,3}$/)
const plainText = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/[{}]/g, ''))
const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean())

/** Text and variables in turn, with a value for each variable. */
const template = fc.dictionary(variableName, value, { maxKeys: 6 }).chain((variables) =>
  fc.record({
    variables: fc.constant(variables),
    parts: fc.array(
      Object.keys(variables).length === 0
        ? fc.record({ text: plainText })
        : fc.oneof(
            fc.record({ text: plainText }),
            fc.record({ name: fc.constantFrom(...Object.keys(variables)), before: blanks, after: blanks }),
          ),
    ),
  }),
)

function faultOf(render: () => string): ApiError {
  try {
    render()
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('it was rendered')
}

describe('rendering a prompt', () => {
  test('replaces each variable by its value and leaves every other character alone', () => {
    fc.assert(
      fc.property(template, ({ variables, parts }) => {
        const content = parts.map((part) =>
          'text' in part ? part.text : `{{${part.before}${part.name}${part.after}}}`,
        )
        const expected = parts.map((part) => ('text' in part ? part.text : String(variables[part.name])))
        expect(renderPrompt(content.join(''), variables)).toBe(expected.join(''))
      }),
    )
  })

  test('never expands variables inside a value', () => {
    expect(renderPrompt('{{a}} and {{b}}', { a: '{{b}}', b: '{{a}}' })).toBe('{{b}} and {{a}}')
    expect(renderPrompt('{{{a}}}', { a: '{x}' })).toBe('{{x}}')
    expect(renderPrompt('<{{a}}>', { a: '$& $1 $$' })).toBe('<$& $1 $$>')
  })

  test('names every missing variable once, in the order in which the prompt uses them', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(variableName, { minLength: 1, maxLength: 8 }),
        ([given = '', ...missing]) => {
          fc.pre(missing.length > 0)
          const content = [given, ...missing, ...missing].map((name) => `{{ ${name} }}`).join(' ')
          const fault = faultOf(() => renderPrompt(content, { [given]: 'here' }))
          expect(fault.status).toBe(400)
          expect(fault.extras.details).toEqual([
            { path: 'prompt.variables', message: `the prompt also needs ${missing.join(', ')}` },
          ])
        },
      ),
    )
  })

  test('does not find inherited properties', () => {
    expect(faultOf(() => renderPrompt('{{constructor}} {{__proto__}}', {})).message).toContain(
      'constructor, __proto__',
    )
    expect(renderPrompt('{{__proto__}}', JSON.parse('{"__proto__":"own"}'))).toBe('own')
  })

  test('leaves braces that mark no variable as they are', () => {
    const content = '{} {{}} {{ }} {{1st}} {{a b}} {{é}} {"a":{"b":1}} {{-x}} {{a'
    expect(renderPrompt(content, { a: 'x', b: 'y' })).toBe(content)
  })

  test('allows variables that the prompt does not use, and numbers and booleans as values', () => {
    expect(renderPrompt('{{n}} {{no}} {{empty}}.', { n: 0.5, no: false, empty: '', unused: 1 })).toBe(
      '0.5 false .',
    )
  })

  test('a long value repeated by a short prompt is refused before it exhausts the memory', () => {
    const fault = faultOf(() => renderPrompt('{{x}}'.repeat(50_000), { x: 'y'.repeat(1_000_000) }))
    expect(fault.message).toContain('50000000000 characters')
  })

  test('stays fast on text full of almost-variables', () => {
    const begun = process.cpuUsage()
    for (const text of [
      '{{'.repeat(131_072),
      `{{${' '.repeat(262_000)}`,
      `{{${'a'.repeat(262_000)}`,
      '{{ a '.repeat(52_000),
    ]) {
      expect(renderPrompt(text, {})).toBe(text)
    }
    expect(processorMsSince(begun)).toBeLessThan(scaledMs(2_000))
  })
})
