import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCursors, readPage } from './pagination.js'

const cursors = createCursors(randomBytes(32))

/** A list that others change while it is being read, page by page. */
async function readAll(rows: Set<number>, limit: number, between: (page: number) => void): Promise<number[]> {
  const seen: number[] = []
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const { data, nextCursor } = await readPage({
      query: { limit, ...(cursor !== undefined && { cursor }) },
      scope: 'numbers',
      cursors,
      fetch: async ({ after, limit: most }) =>
        [...rows]
          .filter((row) => after === null || row < Number(after))
          .sort((a, b) => b - a)
          .slice(0, most),
      position: String,
      present: (row) => row,
    })
    expect(data.length).toBeLessThanOrEqual(limit)
    seen.push(...data)
    if (nextCursor === null) return seen
    cursor = nextCursor
    between(page)
  }
}

test('rows added or removed between pages never make another row appear twice or disappear', async () => {
  const changes = fc.array(
    fc.record({
      page: fc.integer({ min: 1, max: 20 }),
      row: fc.integer({ min: 0, max: 200 }),
      add: fc.boolean(),
    }),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.integer({ min: 0, max: 200 })),
      fc.integer({ min: 1, max: 20 }),
      changes,
      async (start, limit, edits) => {
        const rows = new Set(start)
        const touched = new Set(edits.map((edit) => edit.row))
        const seen = await readAll(rows, limit, (page) => {
          for (const { row, add } of edits.filter((edit) => edit.page === page)) {
            if (add) rows.add(row)
            else rows.delete(row)
          }
        })
        expect(new Set(seen).size).toBe(seen.length)
        expect(seen).toEqual([...seen].sort((a, b) => b - a))
        expect(seen.filter((row) => !touched.has(row))).toEqual(
          start.filter((row) => !touched.has(row)).sort((a, b) => b - a),
        )
      },
    ),
  )
})

test('a list that ends with a full page has no next page', async () => {
  let pages = 1
  expect(await readAll(new Set([1, 2, 3, 4]), 2, () => pages++)).toEqual([4, 3, 2, 1])
  expect(pages).toBe(2)
})

test('a cursor is valid only for its own list', () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.string(),
      fc.string({ minLength: 1, unit: 'grapheme' }),
      (scope, other, position) => {
        const cursor = cursors.encode(scope, position)
        expect(cursors.decode(scope, cursor)).toBe(position)
        if (other !== scope)
          expect(() => cursors.decode(other, cursor)).toThrow('was not issued for this list')
      },
    ),
  )
})

test('a cursor that was forged or altered anywhere is refused', () => {
  const cursor = cursors.encode('keys', 'key_01')
  const refuse = (altered: string) => {
    expect(() => cursors.decode('keys', altered)).toThrow('was not issued for this list')
  }
  fc.assert(fc.property(fc.string(), refuse))
  for (const more of ['=', 'A', ' ', '!']) refuse(cursor + more)
  for (let i = 0; i < cursor.length; i++)
    refuse(`${cursor.slice(0, i)}${cursor[i] === 'A' ? 'B' : 'A'}${cursor.slice(i + 1)}`)
  refuse(createCursors(randomBytes(32)).encode('keys', 'key_01'))
})
