import { createHash } from 'node:crypto'
import type { LeafRange } from '../../../packages/record/src/format/merkle/proof.js'
import { CompactRange, leafHash, type StoredNode } from '../../../packages/record/src/format/merkle/tree.js'

// RFC 6962, section 2.1, word for word and as slow as that: the second opinion on everything that is quick.

function sha256(...parts: Uint8Array[]): Buffer {
  return createHash('sha256').update(Buffer.concat(parts)).digest()
}

function splitOf(count: number): number {
  let split = 1
  while (split * 2 < count) split *= 2
  return split
}

export function naiveRoot(leaves: readonly Buffer[]): Buffer {
  const [only] = leaves
  if (only === undefined) return sha256()
  if (leaves.length === 1) return only
  const split = splitOf(leaves.length)
  return sha256(Buffer.of(1), naiveRoot(leaves.slice(0, split)), naiveRoot(leaves.slice(split)))
}

/** Roots by their place, remembered: all proofs of a tree together ask for each many times. */
function createRoots(leaves: readonly Buffer[]): (start: number, end: number) => Buffer {
  const known = new Map<string, Buffer>()
  const rootOf = (start: number, end: number): Buffer => {
    const [only] = leaves.slice(start, start + 1)
    if (end - start === 1 && only) return only
    const name = `${start}-${end}`
    const found = known.get(name)
    if (found) return found
    if (start === end) return sha256()
    const split = start + splitOf(end - start)
    const root = sha256(Buffer.of(1), rootOf(start, split), rootOf(split, end))
    known.set(name, root)
    return root
  }
  return rootOf
}

const rootsByLeaves = new WeakMap<readonly Buffer[], ReturnType<typeof createRoots>>()

function rootsOver(leaves: readonly Buffer[]) {
  const roots = rootsByLeaves.get(leaves) ?? createRoots(leaves)
  rootsByLeaves.set(leaves, roots)
  return roots
}

/** PATH(m, D[n]) */
export function naiveInclusion(leaves: readonly Buffer[], index: number, size: number): Buffer[] {
  const rootOf = rootsOver(leaves)
  const path = (start: number, end: number): Buffer[] => {
    if (end - start === 1) return []
    const split = start + splitOf(end - start)
    return index < split
      ? [...path(start, split), rootOf(split, end)]
      : [...path(split, end), rootOf(start, split)]
  }
  return path(0, size)
}

/** PROOF(m, D[n]) */
export function naiveConsistency(leaves: readonly Buffer[], from: number, to: number): Buffer[] {
  const rootOf = rootsOver(leaves)
  const subproof = (start: number, end: number, isWhole: boolean): Buffer[] => {
    if (from === end) return isWhole ? [] : [rootOf(start, end)]
    const split = start + splitOf(end - start)
    return from <= split
      ? [...subproof(start, split, isWhole), rootOf(split, end)]
      : [...subproof(split, end, false), rootOf(start, split)]
  }
  return subproof(0, to, true)
}

/** A tree with what the database would store of it: leaf hashes, and the roots that appending reports. */
export function buildTree(content: number | readonly Buffer[]) {
  const leaves =
    typeof content === 'number'
      ? Array.from({ length: content }, (_, index) => leafHash(`leaf ${index}`))
      : content
  const range = CompactRange.empty()
  const nodes = leaves.flatMap((leaf) => range.append(leaf))
  const byLevel = new Map<number, StoredNode[]>([
    [0, leaves.map((hash, index) => ({ level: 0, index, hash }))],
    ...[8, 16].map((level) => [level, nodes.filter((node) => node.level === level)] as const),
  ])
  const rootOf = rootsOver(leaves)
  return {
    leaves,
    /** What is stored of a level from index `start` up to, but not including, `end`. */
    read: (level: number, start: number, end: number) => byLevel.get(level)?.slice(start, end) ?? [],
    rootsOf: (ranges: readonly LeafRange[]) => ranges.map(({ start, end }) => rootOf(start, end)),
    rangeAt(size: number): CompactRange {
      const first = CompactRange.empty()
      for (const leaf of leaves.slice(0, size)) first.append(leaf)
      return first
    },
  }
}
