import referenceCanonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalize, parseCanonical } from './canonical.js'

const wholeText = fc.string({ unit: 'binary' })
const { value: canonicalValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    wholeText,
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(wholeText, tie('value'), { maxKeys: 6 }),
    // Keys that look like numbers are enumerated out of order whatever the order they were added in.
    fc.dictionary(fc.nat(200).map(String), tie('value'), { maxKeys: 6 }),
  ),
}))

describe('canonicalize', () => {
  test('agrees with the reference implementation on every value an entry may hold', () => {
    fc.assert(
      fc.property(canonicalValue, (value) => {
        expect(canonicalize(value)).toBe(referenceCanonicalize(value))
      }),
    )
  })

  test('writes the same bytes whatever order the members were added in', () => {
    fc.assert(
      fc.property(fc.dictionary(wholeText, canonicalValue, { maxKeys: 8 }), (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse())
        const sorted = Object.fromEntries(Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1)))
        expect(canonicalize(reversed)).toBe(canonicalize(members))
        expect(canonicalize(sorted)).toBe(canonicalize(members))
      }),
    )
  })

  test('sorts keys by UTF-16 code units, as in RFC 8785 section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect([...canonicalize(value).matchAll(/"(?:[^"\\]|\\.)*":"(\w+)/g)].map((match) => match[1])).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ])
  })

  test.each([
    ['quotes and backslashes', '"\\/', '"\\"\\\\/"'],
    ['the short escapes', '\b\t\n\f\r', '"\\b\\t\\n\\f\\r"'],
    ['other control characters, in lower case', '\u0000\u001f\u007f', '"\\u0000\\u001f\u007f"'],
    ['line separators and emoji, as they are', '\u2028\ud83d\ude00', '"\u2028\ud83d\ude00"'],
    ['a backslash that only looks like a surrogate escape', '\\ud800', '"\\\\ud800"'],
    ['minus zero', -0, '0'],
    ['the largest safe integer', Number.MAX_SAFE_INTEGER, '9007199254740991'],
    ['empty containers', [{}, []], '[{},[]]'],
    ['an object without a prototype', Object.assign(Object.create(null), { b: 1, a: 2 }), '{"a":2,"b":1}'],
    ['numeric keys as text', { 9: 1, 10: 2 }, '{"10":2,"9":1}'],
    ['a member named __proto__', JSON.parse('{"a":1,"__proto__":2}'), '{"__proto__":2,"a":1}'],
    ['a text member named toJSON', { toJSON: 'x', a: 1 }, '{"a":1,"toJSON":"x"}'],
    ['nothing for a member that is undefined', { a: undefined, b: { c: undefined } }, '{"b":{}}'],
  ])('writes %s', (_name, value, expected) => {
    expect(canonicalize(value)).toBe(expected)
  })

  const cycle: Record<string, unknown> = {}
  cycle.self = cycle

  test.each([
    ['a float', 0.5],
    ['an unsafe integer', Number.MAX_SAFE_INTEGER + 1],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a bigint', 1n],
    ['null', null],
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('x')],
    ['a date', new Date(0)],
    ['a map', new Map()],
    ['bytes', Buffer.from('x')],
    ['a boxed string', Object('x')],
    ['an instance of a class', new (class Receipt {})()],
    ['an object that inherits members', Object.create({ a: 1 })],
    ['an array of another class', new (class List extends Array {})()],
    ['a toJSON method', { toJSON: () => 'x' }],
    ['a high surrogate alone', '\ud800'],
    ['a low surrogate alone', 'x\udc00x'],
    ['surrogates the wrong way round', '\udc00\ud800'],
    ['a cycle', cycle],
  ])('refuses %s, also inside an array, an object or a key', (_name, value) => {
    expect(() => canonicalize(value)).toThrow(TypeError)
    expect(() => canonicalize([1, value])).toThrow(TypeError)
    expect(() => canonicalize([{ b: 1, a: [value] }])).toThrow(TypeError)
    if (typeof value === 'string') expect(() => canonicalize({ [value]: 1 })).toThrow(TypeError)
  })

  test('refuses a hole in an array', () => {
    expect(() => canonicalize(new Array(1))).toThrow(TypeError)
  })

  test('names the member it refuses', () => {
    expect(() => canonicalize({ a: { costNanos: 0.5 } })).toThrow(/costNanos holds 0\.5/)
  })

  test('is not led astray by a toJSON on the prototype of all objects', () => {
    Object.defineProperty(Object.prototype, 'toJSON', { value: () => 'forged', configurable: true })
    try {
      expect(canonicalize({ a: [1] })).toBe('{"a":[1]}')
    } finally {
      Reflect.deleteProperty(Object.prototype, 'toJSON')
    }
  })
})

describe('parseCanonical', () => {
  test('gives back what was written', () => {
    fc.assert(
      fc.property(canonicalValue, (value) => {
        const text = canonicalize(value)
        expect(canonicalize(parseCanonical(text))).toBe(text)
      }),
    )
  })

  test.each([
    ['text that is not JSON', '{'],
    ['nothing', ''],
    ['a blank', '{"a": 1}'],
    ['a byte order mark', '\ufeff{}'],
    ['keys out of order', '{"b":1,"a":2}'],
    ['a key twice', '{"a":1,"a":1}'],
    ['a float', '{"a":1.5}'],
    ['an integer written as a float', '{"a":1.0}'],
    ['minus zero', '-0'],
    ['null', '{"a":null}'],
    ['a needless escape', '"\\u0041"'],
    ['an escape in upper case', '"\\u001F"'],
    ['an escaped lone surrogate', '"\\ud800"'],
    ['a raw lone surrogate', '"\ud800"'],
    ['a nesting that would exhaust the stack', '['.repeat(100_000) + ']'.repeat(100_000)],
  ])('refuses %s', (_name, text) => {
    expect(parseCanonical(text)).toBeUndefined()
  })
})
