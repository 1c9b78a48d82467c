import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editTextMembers } from './members.js'
import { membersOf, readItemsInSlices, readMembersInSlices } from './text-members.js'

const indent = fc.constantFrom('', ' ', '\n\t')
const written = (value: fc.Arbitrary<unknown>) =>
  fc.tuple(value, indent).map(([made, space]) => JSON.stringify(made, null, space))
const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

describe('a JSON text, looked through without reading its values', () => {
  test('has the members that it has when it is parsed, each with the text of its value', () => {
    fc.assert(
      fc.property(written(fc.dictionary(fc.string({ unit: 'grapheme' }), value)), (json) => {
        const found = membersOf(json).map(({ name, valueStart, valueEnd }) => [
          name,
          JSON.parse(json.slice(valueStart, valueEnd)),
        ])
        expect(found).toEqual(Object.entries(JSON.parse(json)))
      }),
    )
  })

  test('has the items that it has when it is parsed', async () => {
    await fc.assert(
      fc.asyncProperty(written(fc.array(value)), async (json) => {
        const items = await readItemsInSlices(json, async () => undefined)
        expect(items.map(({ start, end }) => JSON.parse(json.slice(start, end)))).toEqual(JSON.parse(json))
        expect(membersOf(json)).toEqual([])
      }),
    )
  })

  test('keeps nobody waiting when it is long', async () => {
    const json = JSON.stringify({ long: Array.from({ length: 300_000 }, (_, i) => i), last: 1 })
    let turns = 0
    const members = await readMembersInSlices(json, async () => {
      turns += 1
    })
    expect(turns).toBeGreaterThan(3)
    expect(members).toEqual(membersOf(json))
    expect(editTextMembers(json, members, new Map([['long', null]]))).toBe('{"last":1}')
  })
})
