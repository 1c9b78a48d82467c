import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson, refuseUnusableInput } from './json-body.js'

test.each(['{', '', 'undefined', "{'a':1}", '{"a":1}x', '\ufeff{}'])(
  'text that is not JSON is refused: %j',
  (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(/^Malformed JSON/)
  },
)

test('bytes that are not UTF-8 are refused, not replaced', () => {
  expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow('Malformed JSON: the body is not UTF-8')
})

test('any JSON value survives unchanged', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text))
    }),
  )
})

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each([
  ['U+0000', '{"a":["x","y\\u0000"]}', 'a.1'],
  ['half of a surrogate pair', '{"a":{"b":"\\ud83c"}}', 'a.b'],
  ['the other half', '"\\udf55"', ''],
  ['U+0000 in a name', '{"a":{"b\\u0000":1}}', 'a'],
  ['__proto__', '{"a":{"__proto__":{"admin":true}}}', 'a.__proto__'],
  ['65 levels', nested(65), 'a.a.a'],
  ['a hundred thousand levels', nested(100_000), 'a.a.a'],
  ['a hundred thousand arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '0.0.0'],
])('what cannot be stored or walked is refused with its place: %s', (_, json, path) => {
  const value = parseJson(Buffer.from(json))
  expect(() => refuseUnusableInput(value)).toThrow(
    expect.objectContaining({
      type: 'invalid_request',
      extras: { details: [expect.objectContaining({ path })] },
    }),
  )
})

test('everything else passes', () => {
  const usable = fc
    .jsonValue({ stringUnit: 'grapheme' })
    .filter((value) => !/\\u0000|__proto__/.test(JSON.stringify(value)))
  fc.assert(
    fc.property(usable, (value) => {
      expect(() => refuseUnusableInput(value)).not.toThrow()
    }),
  )
  expect(() => refuseUnusableInput(JSON.parse(nested(64)))).not.toThrow()
})
