import { nodeHash } from './tree.js'

// RFC 6962, sections 2.1.1 and 2.1.2. A proof is a list of roots of parts of the tree. The functions below say which
// parts: making a proof looks their roots up, checking one folds the roots together again.

/** The leaves from `start` up to, but not including, `end`, counted from 0. */
export interface LeafRange {
  start: number
  end: number
}

/** The parts of a tree of `size` leaves whose roots prove that leaf `index` is in it, lowest level first. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  requireRange(isCount(size) && isCount(index) && index < size, `Leaf ${index} is not in a tree of ${size}`)
  const ranges: LeafRange[] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const split = start + largestPowerBelow(end - start)
    if (index < split) {
      ranges.push({ start: split, end })
      end = split
    } else {
      ranges.push({ start, end: split })
      start = split
    }
  }
  return ranges.reverse()
}

/** The parts whose roots prove that the tree of `to` leaves begins with the tree of `from` leaves. */
export function consistencyRanges(from: number, to: number): LeafRange[] {
  requireRange(isCount(from) && isCount(to) && from <= to, `No tree of ${to} begins with one of ${from}`)
  if (from === 0 || from === to) return []
  const ranges: LeafRange[] = []
  let start = 0
  let end = to
  while (end !== from) {
    const split = start + largestPowerBelow(end - start)
    if (from <= split) {
      ranges.push({ start: split, end })
      end = split
    } else {
      ranges.push({ start, end: split })
      start = split
    }
  }
  // The rest is the last perfect part of the old tree. When it is the whole old tree, its root is known already.
  if (start > 0) ranges.push({ start, end })
  return ranges.reverse()
}

export function verifyInclusion(claim: {
  index: number
  size: number
  leafHash: Buffer
  root: Buffer
  path: readonly Buffer[]
}): boolean {
  const { index, size, path } = claim
  if (!isCount(size) || !isCount(index) || index >= size) return false
  const ranges = inclusionRanges(index, size)
  if (ranges.length !== path.length) return false
  const root = path.reduce(
    (node, sibling, i) => join(node, sibling, (ranges[i]?.end ?? 0) <= index),
    claim.leafHash,
  )
  return root.equals(claim.root)
}

/** Every tree begins with the empty one: `from` = 0 needs no proof. */
export function verifyConsistency(claim: {
  from: number
  to: number
  fromRoot: Buffer
  toRoot: Buffer
  path: readonly Buffer[]
}): boolean {
  const { from, to, fromRoot, toRoot } = claim
  if (!isCount(from) || !isCount(to) || from > to) return false
  const ranges = consistencyRanges(from, to)
  if (ranges.length !== claim.path.length) return false
  if (from === to) return fromRoot.equals(toRoot)
  if (from === 0) return true
  const startsInside = ranges[0]?.end === from
  const seed = startsInside ? claim.path[0] : fromRoot
  if (seed === undefined) return false
  let [old, grown] = [seed, seed]
  for (let i = startsInside ? 1 : 0; i < ranges.length; i++) {
    const sibling = claim.path[i]
    if (sibling === undefined) return false
    const isLeft = (ranges[i]?.end ?? 0) < from
    if (isLeft) old = join(old, sibling, true)
    grown = join(grown, sibling, isLeft)
  }
  return old.equals(fromRoot) && grown.equals(toRoot)
}

function join(node: Buffer, sibling: Buffer, siblingIsLeft: boolean): Buffer {
  return siblingIsLeft ? nodeHash(sibling, node) : nodeHash(node, sibling)
}

// Doubling, since a size may exceed the 32 bits of the bitwise operators.
function largestPowerBelow(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}

function requireRange(isValid: boolean, message: string): void {
  if (!isValid) throw new RangeError(message)
}
