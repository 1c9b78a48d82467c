import { expect, test } from 'vitest'
import { BoundedMap } from './bounded-map.js'

test('a bounded map keeps what was set last, and tells of what it drops', () => {
  const dropped: [string, number][] = []
  const map = new BoundedMap<string, number>(2, (key, value) => dropped.push([key, value]))
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4)
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ])
  expect(dropped).toEqual([['b', 2]])
  map.set('a', 5)
  expect(map.size).toBe(2)
})
