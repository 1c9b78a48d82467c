import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  buildTree,
  naiveConsistency,
  naiveInclusion,
  naiveRoot,
} from '../../../../../test/harness/record/naive-tree.js'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import vectors from '../../../../../test/vectors/merkle.json' with { type: 'json' }
import {
  consistencyRanges,
  inclusionRanges,
  type LeafRange,
  verifyConsistency,
  verifyInclusion,
} from './proof.js'
import { CompactRange, leafHash } from './tree.js'
import { spansFor, TreeHashes } from './tree-hashes.js'

const fromHex = (hashes: readonly string[]) => hashes.map((each) => Buffer.from(each, 'hex'))
const toHex = (hashes: readonly Buffer[]) => hashes.map((each) => each.toString('hex'))

/** Works out roots from what would be stored, and counts how much of it was read. */
function lookUp(tree: ReturnType<typeof buildTree>, ranges: readonly LeafRange[], keptFrom = 0) {
  const spans = spansFor(ranges, keptFrom)
  const read = spans.flatMap(({ level, start, end }) => tree.read(level, start, end))
  const hashes = new TreeHashes(read, tree.rangeAt(keptFrom))
  return { roots: ranges.map((range) => hashes.rootOf(range)), hashes, spans, read: read.length }
}

const smallTree = buildTree(300)
const { leaves } = smallTree

describe('against the RFC 6962 vectors', () => {
  const tree = buildTree(vectors.leaves.map((leaf) => leafHash(Buffer.from(leaf, 'hex'))))
  const rootAt = (size: number) => Buffer.from(vectors.roots[size] ?? '', 'hex')

  test.each(vectors.inclusion)(
    'leaf $index is shown to be in the tree of $size',
    ({ index, size, proof }) => {
      const { roots } = lookUp(tree, inclusionRanges(index, size))
      expect(roots).toEqual(fromHex(proof))
      const leaf = tree.leaves[index] ?? Buffer.alloc(0)
      expect(verifyInclusion({ index, size, leafHash: leaf, root: rootAt(size), path: fromHex(proof) })).toBe(
        true,
      )
    },
  )

  test.each(vectors.consistency)(
    'the tree of $to is shown to begin with that of $from',
    ({ from, to, proof }) => {
      expect(lookUp(tree, consistencyRanges(from, to)).roots).toEqual(fromHex(proof))
      const roots = { fromRoot: rootAt(from), toRoot: rootAt(to) }
      expect(verifyConsistency({ from, to, ...roots, path: fromHex(proof) })).toBe(true)
    },
  )
})

describe('at every size up to 300', () => {
  const roots = Array.from({ length: 301 }, (_, size) => naiveRoot(leaves.slice(0, size)))
  const rootAt = (size: number) => roots[size] ?? Buffer.alloc(0)

  test('every leaf has the path of the naive tree, and it verifies', () => {
    const wrong: string[] = []
    for (let size = 1; size <= 300; size++) {
      for (let index = 0; index < size; index++) {
        const path = naiveInclusion(leaves, index, size)
        const leaf = leaves[index] ?? Buffer.alloc(0)
        const isRight =
          Buffer.concat(smallTree.rootsOf(inclusionRanges(index, size))).equals(Buffer.concat(path)) &&
          verifyInclusion({ index, size, leafHash: leaf, root: rootAt(size), path })
        if (!isRight) wrong.push(`${index} of ${size}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('every two sizes have the proof of the naive tree, and it verifies', () => {
    const wrong: string[] = []
    for (let to = 0; to <= 300; to++) {
      for (let from = 0; from <= to; from++) {
        const path = from === 0 ? [] : naiveConsistency(leaves, from, to)
        const isRight =
          Buffer.concat(smallTree.rootsOf(consistencyRanges(from, to))).equals(Buffer.concat(path)) &&
          verifyConsistency({ from, to, fromRoot: rootAt(from), toRoot: rootAt(to), path })
        if (!isRight) wrong.push(`${from} to ${to}`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('roots follow from what is stored, also when the first leaves are stored no more', () => {
    const sizes = fc.integer({ min: 1, max: 300 }).chain((size) =>
      fc.record({
        size: fc.constant(size),
        keptFrom: fc.nat(size),
        index: fc.nat(size - 1),
        from: fc.nat(size),
      }),
    )
    fc.assert(
      fc.property(sizes, ({ size, keptFrom, index, from }) => {
        const keptIndex = Math.max(index, Math.min(keptFrom, size - 1))
        const inclusion = inclusionRanges(keptIndex, size)
        const consistency = consistencyRanges(Math.max(from, keptFrom), size)
        if (keptIndex >= keptFrom)
          expect(lookUp(smallTree, inclusion, keptFrom).roots).toEqual(smallTree.rootsOf(inclusion))
        expect(lookUp(smallTree, consistency, keptFrom).roots).toEqual(smallTree.rootsOf(consistency))
        const whole = [{ start: 0, end: size }]
        expect(lookUp(smallTree, whole, keptFrom).hashes.rangeOf(size)?.root()).toEqual(rootAt(size))
      }),
    )
  })

  test('nothing is made up for leaves that are stored no more', () => {
    expect(lookUp(smallTree, inclusionRanges(3, 300), 100).roots).toContain(undefined)
    expect(lookUp(smallTree, consistencyRanges(37, 300), 100).roots).toContain(undefined)
  })
})

test('in a tree of 140,000 leaves a proof reads a few hundred hashes, in a few runs, from three levels', () => {
  const large = buildTree(140_000)
  fc.assert(
    fc.property(fc.nat(139_999), fc.integer({ min: 1, max: 140_000 }), (index, from) => {
      const inclusion = [{ start: index, end: index + 1 }, ...inclusionRanges(index, 140_000)]
      for (const ranges of [inclusion, consistencyRanges(from, 140_000)]) {
        const { roots, spans, read } = lookUp(large, ranges)
        expect(roots).toEqual(large.rootsOf(ranges))
        expect(read).toBeLessThanOrEqual(3 * 2 * 256)
        expect(spans.length).toBeLessThanOrEqual(9)
      }
    }),
    { numRuns: propertyRuns / 4 },
  )
})

describe('a proof that was tampered with', () => {
  const size = 201
  const index = 77
  const inclusion = {
    index,
    size,
    leafHash: leaves[index] ?? Buffer.alloc(0),
    root: naiveRoot(leaves.slice(0, size)),
    path: naiveInclusion(leaves, index, size),
  }
  const consistency = {
    from: 77,
    to: size,
    fromRoot: naiveRoot(leaves.slice(0, 77)),
    toRoot: inclusion.root,
    path: naiveConsistency(leaves, 77, size),
  }
  const other = leafHash('other')

  test('does not verify, whichever part is another', () => {
    expect(verifyInclusion(inclusion)).toBe(true)
    expect(verifyConsistency(consistency)).toBe(true)
    for (const change of [
      { index: 76 },
      { index: 78 },
      { index: size },
      { index: -1 },
      { index: 0.5 },
      { size: 128 },
      { size: 0 },
      { leafHash: other },
      { root: other },
      { path: inclusion.path.slice(1) },
      { path: [...inclusion.path, other] },
      { path: inclusion.path.toReversed() },
      ...inclusion.path.map((_, at) => ({ path: inclusion.path.with(at, other) })),
    ]) {
      expect(verifyInclusion({ ...inclusion, ...change }), JSON.stringify(change)).toBe(false)
    }
    for (const change of [
      { from: 76 },
      { from: 0 },
      { from: size },
      { from: size + 1 },
      { to: 77 },
      { to: 128 },
      { fromRoot: other },
      { toRoot: other },
      { path: consistency.path.slice(1) },
      { path: [...consistency.path, other] },
      ...consistency.path.map((_, at) => ({ path: consistency.path.with(at, other) })),
    ]) {
      expect(verifyConsistency({ ...consistency, ...change }), JSON.stringify(change)).toBe(false)
    }
  })

  test('of two different trees of one size does not verify', () => {
    expect(verifyConsistency({ from: 5, to: 5, fromRoot: other, toRoot: inclusion.root, path: [] })).toBe(
      false,
    )
  })

  test('cannot be asked for where there is none', () => {
    expect(() => inclusionRanges(3, 3)).toThrow(RangeError)
    expect(() => consistencyRanges(4, 3)).toThrow(RangeError)
    expect(toHex(smallTree.rootsOf([{ start: 0, end: 0 }]))).toEqual([
      CompactRange.empty().root().toString('hex'),
    ])
  })
})
