import fc from 'fast-check'
import { expect, test } from 'vitest'
import { diff, diffLines } from '../../packages/console/src/text-diff.js'

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 })

test('what stays and goes is the list before, what stays and comes the list after', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const changes = diff(before, after)
      const without = (kind: string) => changes.flatMap((each) => (each.kind === kind ? [] : each.items))
      expect(without('added')).toEqual(before)
      expect(without('removed')).toEqual(after)
    }),
  )
})

test('as much stays as can', () => {
  const longest = (a: readonly string[], b: readonly string[]): number => {
    if (a.length === 0 || b.length === 0) return 0
    const [first, ...rest] = a
    const at = b.indexOf(first ?? '')
    return Math.max(longest(rest, b), at === -1 ? 0 : 1 + longest(rest, b.slice(at + 1)))
  }
  const short = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 })
  fc.assert(
    fc.property(short, short, (before, after) => {
      const kept = diff(before, after).flatMap(({ kind, items }) => (kind === 'same' ? items : []))
      expect(kept).toHaveLength(longest(before, after))
    }),
  )
})

test('lines that were replaced by as many others show which words changed', () => {
  const lines = diffLines('Hello.\nBe short.\nBye.', 'Hello.\nBe very short.\nBye.')
  expect(lines.map(({ kind, before, after }) => [kind, before, after])).toEqual([
    ['same', 1, 1],
    ['removed', 2, null],
    ['added', null, 2],
    ['same', 3, 3],
  ])
  const added = lines[2]?.words.filter(({ kind }) => kind === 'added').map(({ items }) => items.join(''))
  expect(added?.join('').trim()).toBe('very')
})
