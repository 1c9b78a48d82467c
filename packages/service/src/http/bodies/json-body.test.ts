import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createSliceQueue } from '../../shared/slice-queue.js'
import { parseJson, refuseUnusableInput } from './json-body.js'

const turns = createSliceQueue()
const parse = (text: string | Buffer) => parseJson(Buffer.from(text), turns)
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

test.each(['{', '', 'undefined', "{'a':1}", '{"a":1}x', '\ufeff{}'])(
  'text that is not JSON is refused: %j',
  async (text) => {
    await expect(parse(text)).rejects.toThrow(/^Malformed JSON/)
  },
)

test('bytes that are not UTF-8 are refused, not replaced', async () => {
  await expect(parse(Buffer.from([0x22, 0xff, 0x22]))).rejects.toThrow('Malformed JSON: it is not UTF-8')
})

test('any JSON value survives unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json(), async (text) => {
      expect(await parse(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['at the top', '{"role":"member","role":"manager"}', 'role'],
  ['with equal values', '{"a":1,"a":1}', 'a'],
  ['spelt otherwise', '{"role":"member","\\u0072ole":"manager"}', 'role'],
  ['inside of an object', '{"scope":{"id":"x","type":"team","id":"y"}}', 'scope.id'],
  [
    'inside of an array',
    '{"patterns":[{"name":"a"},{"name":"b","regex":"c","name":"d"}]}',
    'patterns.1.name',
  ],
  ['with no name', '{"a":{"":1,"":2}}', 'a.'],
  ['__proto__', '{"__proto__":1,"__proto__":2}', '__proto__'],
])('a member that stands twice is refused with its place: %s', async (_, text, path) => {
  await expect(parse(text)).rejects.toMatchObject({
    type: 'invalid_request',
    message: `${path}: occurs twice in its object`,
    extras: { details: [{ path, message: 'occurs twice in its object' }] },
  })
})

test('the same name in two objects, or in another case, is not a duplicate', async () => {
  const text = '{"a":{"b":1},"b":2,"B":3,"c":[{"b":1},{"b":1}]}'
  expect(await parse(text)).toEqual(JSON.parse(text))
})

test.each([
  ['a hundred thousand levels', nested(100_000), /64 levels/],
  ['a hundred thousand arrays', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, /64 levels/],
  ['65 levels', nested(65), /64 levels/],
  ['many values', `[${'1,'.repeat(100_000)}1]`, /more than 100,000 values/],
  ['many objects', `[${'{},'.repeat(20_000)}{}]`, /more than 20,000 objects/],
])('what costs more than its bytes is bounded: %s', async (_, text, words) => {
  await expect(parse(text)).rejects.toThrow(words)
})

test.each([
  ['U+0000', '{"a":["x","y\\u0000"]}', 'a.1'],
  ['half of a surrogate pair', '{"a":{"b":"\\ud83c"}}', 'a.b'],
  ['the other half', '"\\udf55"', ''],
  ['U+0000 in a name', '{"a":{"b\\u0000":1}}', 'a'],
  ['__proto__', '{"a":{"__proto__":{"admin":true}}}', 'a.__proto__'],
])('what cannot be stored or walked is refused with its place: %s', async (_, json, path) => {
  const value = await parse(json)
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
