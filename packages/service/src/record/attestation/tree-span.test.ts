import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naiveRoot } from '../../../../../test/harness/record/naive-tree.js'
import { CompactRange, leafHash } from '../../../../record/src/format/merkle/tree.js'
import { TreeSpan } from './tree-span.js'

const leaves = Array.from({ length: 300 }, (_, index) => leafHash(`leaf ${index}`))

function spanOver(start: number, end: number): TreeSpan {
  const span = TreeSpan.at(start)
  for (const leaf of leaves.slice(start, end)) span.addLeaf(leaf.toString('latin1'))
  return span
}

function rangeOver(size: number): CompactRange {
  const range = CompactRange.empty()
  for (const leaf of leaves.slice(0, size)) range.append(leaf)
  return range
}

describe('a span of a tree', () => {
  test('has the root of the naive tree, for every size up to 300', () => {
    for (let size = 0; size <= leaves.length; size++)
      expect(spanOver(0, size).root()).toEqual(naiveRoot(leaves.slice(0, size)))
  })

  test('comes to the same tree however it was cut into pieces and put together again', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 0, max: leaves.length }), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...new Set([...places, leaves.length])].sort((a, b) => a - b)
        const whole = TreeSpan.at(0)
        for (const end of ends) whole.addSpan(spanOver(whole.end, end).toData())
        expect(whole.toData()).toEqual(spanOver(0, leaves.length).toData())
      }),
    )
  })

  test('goes on from a compact range and turns into one', () => {
    for (const size of [0, 1, 5, 64, 127, 255, 256, 299]) {
      const span = TreeSpan.fromRange(rangeOver(size))
      span.addSpan(spanOver(size, leaves.length).toData())
      expect(span.root()).toEqual(naiveRoot(leaves))
      expect(span.toRange().hashes).toEqual(rangeOver(leaves.length).hashes)
    }
  })

  test('does not follow a span that ends elsewhere, and has no root in the middle of a tree', () => {
    expect(() => spanOver(0, 5).addSpan(spanOver(6, 9).toData())).toThrow('does not follow')
    expect(() => spanOver(3, 9).root()).toThrow('has no root')
  })

  test('of which nothing is known leads to no root that anyone could have sealed', () => {
    const span = TreeSpan.unknown(5)
    span.addSpan(spanOver(5, 9).toData())
    expect(span.root()).not.toEqual(naiveRoot(leaves.slice(0, 9)))
  })
})
