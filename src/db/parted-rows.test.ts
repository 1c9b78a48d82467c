import { expect, test } from 'vitest'
import { createPartedRows } from './parted-rows.js'

/** Answers with the parts that were written to, one for each of the pages that the row is said to be on then. */
function writeOn(pages: readonly (number | string)[]): number[] {
  const parts: number[] = []
  const add = createPartedRows({
    write: (rows) => rows.map((values) => ({ text: '', values: [...values] })),
    ofPart: ([key], part) => [key, part],
  })
  for (const page of pages)
    for (const { values, onCommitted } of add([{ name: 'a', values: ['a', 0] }])) {
      parts.push(Number(values[1]))
      onCommitted?.([{ place: `(${page},1)` }])
    }
  return parts
}

const pagesOf = (writes: number, perPage: number) =>
  Array.from({ length: writes }, (_, write) => Math.floor(write / perPage))

test('a row that rests stays one', () => {
  expect(new Set(writeOn(pagesOf(10_000, 10_000)))).toEqual(new Set([0]))
})

test('a row that moves now and then stays one', () => {
  expect(new Set(writeOn(pagesOf(10_000, 200)))).toEqual(new Set([0]))
})

test.each([1, 15, 70])(
  'a row that moves after every %i writes gets parts, each of a few pages',
  (perPage) => {
    const parts = writeOn(pagesOf(10_000, perPage))
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
    const writes = new Map<number, number>()
    for (const part of parts) writes.set(part, (writes.get(part) ?? 0) + 1)
    expect(writes.size).toBeGreaterThan(10_000 / perPage / 8)
    expect(Math.max(...writes.values())).toBeLessThanOrEqual(8 * perPage)
  },
)

test('what was not committed is not counted as a move', () => {
  const add = createPartedRows({
    write: (rows) => rows.map((values) => ({ text: '', values: [...values] })),
    ofPart: ([key], part) => [key, part],
  })
  for (let write = 0; write < 100; write++)
    expect(add([{ name: 'a', values: ['a', 0] }])[0]?.values).toEqual(['a', 0])
})
