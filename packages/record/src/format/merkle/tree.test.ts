import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { naiveRoot } from '../../../../../test/harness/record/naive-tree.js'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import vectors from '../../../../../test/vectors/merkle.json' with { type: 'json' }
import { CompactRange, emptyRoot, leafHash, nodeHash, type StoredNode } from './tree.js'

function sha256(...parts: Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function makeLeaves(count: number): Buffer[] {
  return Array.from({ length: count }, (_, index) => leafHash(`leaf ${index}`))
}

function grow(leaves: readonly Buffer[]): { range: CompactRange; nodes: StoredNode[] } {
  const range = CompactRange.empty()
  return { range, nodes: leaves.flatMap((leaf) => range.append(leaf)) }
}

const hashBytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes))

describe('hashes', () => {
  test('prefix leaves with 0x00 and nodes with 0x01', () => {
    fc.assert(
      fc.property(fc.uint8Array(), hashBytes, hashBytes, (bytes, left, right) => {
        expect(leafHash(bytes)).toEqual(sha256(Buffer.of(0), bytes))
        expect(nodeHash(left, right)).toEqual(sha256(Buffer.of(1), left, right))
      }),
    )
  })

  test('are the same for a text and for its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(leafHash(text)).toEqual(leafHash(Buffer.from(text)))
      }),
    )
  })
})

describe('a compact range', () => {
  test('has the roots of the RFC 6962 vectors', () => {
    const range = CompactRange.empty()
    const roots = [range.root().toString('hex')]
    for (const leaf of vectors.leaves) {
      range.append(leafHash(Buffer.from(leaf, 'hex')))
      roots.push(range.root().toString('hex'))
    }
    expect(roots).toEqual(vectors.roots)
    expect(emptyRoot().toString('hex')).toBe(vectors.roots[0])
  })

  test('has the root of the whole tree at every size up to 300', () => {
    const leaves = makeLeaves(300)
    const range = CompactRange.empty()
    for (let size = 0; size < leaves.length; size++) {
      expect(range.root()).toEqual(naiveRoot(leaves.slice(0, size)))
      for (const leaf of leaves.slice(size, size + 1)) range.append(leaf)
    }
  })

  test('goes on from its serialised form, at any size, as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(40), (before, after) => {
        const leaves = makeLeaves(before + after)
        const { range } = grow(leaves.slice(0, before))
        const restored = CompactRange.fromBuffer(before, range.toBuffer())
        for (const leaf of leaves.slice(before)) restored.append(leaf)
        expect(restored.size).toBe(leaves.length)
        expect(restored.root()).toEqual(naiveRoot(leaves))
      }),
      { numRuns: propertyRuns / 2 },
    )
  })

  test('holds the roots of the perfect subtrees, largest first', () => {
    const leaves = makeLeaves(13)
    expect(grow(leaves).range.hashes).toEqual([
      naiveRoot(leaves.slice(0, 8)),
      naiveRoot(leaves.slice(8, 12)),
      naiveRoot(leaves.slice(12)),
    ])
  })

  test('reports each subtree of 256 leaves once, when its last leaf arrives', () => {
    const leaves = makeLeaves(3 * 256 - 1)
    const { range, nodes } = grow(leaves)
    expect(nodes).toEqual([
      { level: 8, index: 0, hash: naiveRoot(leaves.slice(0, 256)) },
      { level: 8, index: 1, hash: naiveRoot(leaves.slice(256, 512)) },
    ])
    expect(range.append(leafHash('last'))).toMatchObject([{ level: 8, index: 2 }])
  })

  test.each([
    [
      2 ** 16,
      [
        [8, 255],
        [16, 0],
      ],
    ],
    [
      3 * 2 ** 24,
      [
        [8, 3 * 2 ** 16 - 1],
        [16, 3 * 2 ** 8 - 1],
        [24, 2],
      ],
    ],
    [
      2 ** 33,
      [
        [8, 2 ** 25 - 1],
        [16, 2 ** 17 - 1],
        [24, 2 ** 9 - 1],
        [32, 1],
      ],
    ],
    [2 ** 33 + 1, []],
  ])('reports the subtrees that leaf %d completes on every stored level', (size, expected) => {
    const bits = [...(size - 1).toString(2)].filter((bit) => bit === '1').length
    const range = CompactRange.fromHashes(size - 1, makeLeaves(bits))
    expect(range.append(leafHash('last')).map(({ level, index }) => [level, index])).toEqual(expected)
    expect(range.size).toBe(size)
  })

  test('is not touched by what happens to its copy', () => {
    const { range } = grow(makeLeaves(7))
    const root = range.root()
    range.copy().append(leafHash('other'))
    expect(range.size).toBe(7)
    expect(range.root()).toEqual(root)
  })

  test.each([
    ['too few hashes', 3, 32],
    ['too many hashes', 4, 64],
    ['a cut-off hash', 3, 63],
    ['a negative size', -1, 0],
    ['a size that is no integer', 0.5, 0],
  ])('cannot be restored from %s', (_name, size, length) => {
    expect(() => CompactRange.fromBuffer(size, Buffer.alloc(length))).toThrow(RangeError)
  })
})
