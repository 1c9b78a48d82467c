import type { LeafRange } from './proof.js'
import { CompactRange, emptyRoot, nodeHash, STORED_LEVEL_STEP, type StoredNode } from './tree.js'

// Any root of the tree can be computed from what is stored: leaf hashes, and the roots over 256, 65,536, … leaves. A
// perfect subtree needs at most 128 hashes of the stored level below it, so a proof reads a bounded number per level.

/** Stored hashes of one level, from index `start` up to, but not including, `end`. */
export interface HashSpan {
  level: number
  start: number
  end: number
}

/** A perfect subtree over 2^level leaves; the first is leaf `index` × 2^level. */
interface Subtree {
  level: number
  index: number
}

/** The stored hashes that the roots over these ranges are computed from. Leaves before `keptFrom` are dropped. */
export function spansFor(ranges: readonly LeafRange[], keptFrom: number): HashSpan[] {
  const spans = ranges.flatMap(perfectSubtrees).flatMap(({ level, index }) => {
    const stored = level - (level % STORED_LEVEL_STEP)
    const width = 2 ** (level - stored)
    // Stored hashes that cover only dropped leaves are deleted.
    const kept = Math.floor(keptFrom / 2 ** stored)
    const start = Math.max(index * width, kept)
    const end = (index + 1) * width
    return start < end ? [{ level: stored, start, end }] : []
  })
  return mergeSpans(spans)
}

/** Some stored hashes of a tree, and the roots that can be computed from them. */
export class TreeHashes {
  // Bounded: nodes of one proof.
  readonly #known = new Map<string, Buffer>()

  /** `dropped` covers the leaves that are no longer stored. */
  constructor(hashes: readonly StoredNode[], dropped: CompactRange) {
    for (const { level, index, hash } of hashes) this.#known.set(keyOf({ level, index }), hash)
    const subtrees = perfectSubtrees({ start: 0, end: dropped.size })
    for (const [i, hash] of dropped.hashes.entries()) {
      const subtree = subtrees[i]
      if (subtree !== undefined) this.#known.set(keyOf(subtree), hash)
    }
  }

  /** Undefined where a hash is missing. */
  rootOf(range: LeafRange): Buffer | undefined {
    if (range.start === range.end) return emptyRoot()
    const roots = this.#perfectRoots(range)
    return roots?.reduceRight((right, left) => nodeHash(left, right))
  }

  rootsOf(ranges: readonly LeafRange[]): Buffer[] | undefined {
    const roots = ranges.map((range) => this.rootOf(range))
    return roots.every((root) => root !== undefined) ? roots : undefined
  }

  /** The first `size` leaves, as a range to append to. */
  rangeOf(size: number): CompactRange | undefined {
    const hashes = this.#perfectRoots({ start: 0, end: size })
    return hashes && CompactRange.fromHashes(size, hashes)
  }

  #perfectRoots(range: LeafRange): Buffer[] | undefined {
    const roots: Buffer[] = []
    for (const subtree of perfectSubtrees(range)) {
      const root = this.#subtreeRoot(subtree)
      if (root === undefined) return undefined
      roots.push(root)
    }
    return roots
  }

  #subtreeRoot({ level, index }: Subtree): Buffer | undefined {
    const known = this.#known.get(keyOf({ level, index }))
    if (known !== undefined || level % STORED_LEVEL_STEP === 0) return known
    const left = this.#subtreeRoot({ level: level - 1, index: index * 2 })
    const right = left && this.#subtreeRoot({ level: level - 1, index: index * 2 + 1 })
    return left && right && nodeHash(left, right)
  }
}

/** The fewest perfect subtrees that make up a range, from left to right. */
function perfectSubtrees({ start, end }: LeafRange): Subtree[] {
  const subtrees: Subtree[] = []
  for (let at = start; at < end; ) {
    let level = 0
    let width = 1
    while (at % (width * 2) === 0 && at + width * 2 <= end) {
      width *= 2
      level++
    }
    subtrees.push({ level, index: at / width })
    at += width
  }
  return subtrees
}

function mergeSpans(spans: readonly HashSpan[]): HashSpan[] {
  const merged: HashSpan[] = []
  for (const span of spans.toSorted((a, b) => a.level - b.level || a.start - b.start)) {
    const last = merged.at(-1)
    if (last?.level === span.level && span.start <= last.end) last.end = Math.max(last.end, span.end)
    else merged.push({ ...span })
  }
  return merged
}

const keyOf = ({ level, index }: Subtree): string => `${level}/${index}`
