import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latestMarks, type Mark, readMark, writeMark } from './mark.js'

const mark = (size: number, atMs: number, acceptedMs = 0): Mark => ({
  ...{ tenant: 'acme', size, atMs, acceptedMs },
  last: 'ab'.repeat(32),
  root: null,
})

test('the mark of most entries stays, whatever the order in which replicas write, and however their clocks differ', () => {
  const marks = fc.array(fc.tuple(fc.nat(1_000), fc.nat(1_000)), { minLength: 1 })
  fc.assert(
    fc.property(marks, (drawn) => {
      const most = Math.max(...drawn.map(([size]) => size))
      expect(latestMarks(drawn.map(([size, atMs]) => mark(size, atMs + 1))).get('acme')?.size).toBe(most)
    }),
  )
})

test('a mark from before an accepted restore gives way to one from after it, in either order', () => {
  const [before, after] = [mark(12, 100), mark(6, 200, 150)]
  for (const order of [
    [before, after],
    [after, before],
  ])
    expect(latestMarks(order).get('acme')).toBe(after)
})

test('a mark is read as it was written, and what is no mark is ignored', () => {
  expect(readMark('acme', JSON.parse(JSON.stringify(writeMark(mark(6, 200, 150)))))).toEqual(
    mark(6, 200, 150),
  )
  for (const value of [null, {}, [], ['6', null, 1], [6, 7, 1], [6, null, 'x'], [6, null, 1, 7]])
    expect(readMark('acme', value)).toBeNull()
})
