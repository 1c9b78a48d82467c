import { hash } from 'node:crypto'

// RFC 6962, section 2.1. Leaves and inner nodes are hashed with different prefixes, so that a node can never be passed
// off as an entry.

export const HASH_BYTES = 32

/** Roots are stored over 2^8, 2^16, 2^24, … leaves. */
export const STORED_LEVEL_STEP = 8

/** The root of a perfect subtree over 256^k leaves, stored so that a proof need not read all leaves. */
export interface StoredNode {
  /** 8, 16, 24, …: the node covers 2^level leaves, starting at leaf `index` × 2^level. */
  level: number
  index: number
  hash: Buffer
}

export function leafHash(bytes: Uint8Array | string): Buffer {
  // U+0000 is the byte 0x00 in UTF-8. Hashing the text as it is takes 2.8 µs, a prefixed copy of its bytes 3.8 (1.1 kB).
  if (typeof bytes === 'string') return hash('sha256', `\0${bytes}`, 'buffer')
  const prefixed = Buffer.allocUnsafe(bytes.length + 1)
  prefixed[0] = 0
  prefixed.set(bytes, 1)
  return hash('sha256', prefixed, 'buffer')
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  const prefixed = Buffer.allocUnsafe(1 + 2 * HASH_BYTES)
  prefixed[0] = 1
  prefixed.set(left, 1)
  prefixed.set(right, 1 + HASH_BYTES)
  return hash('sha256', prefixed, 'buffer')
}

export function emptyRoot(): Buffer {
  return hash('sha256', '', 'buffer')
}

/** A tree as its size and the roots of its perfect subtrees: enough to append leaves and to compute the root. */
export class CompactRange {
  #size: number
  readonly #hashes: Buffer[]

  private constructor(size: number, hashes: Buffer[]) {
    this.#size = size
    this.#hashes = hashes
  }

  static empty(): CompactRange {
    return new CompactRange(0, [])
  }

  /** `hashes` are the roots of the perfect subtrees, largest first: one per set bit of `size`. */
  static fromHashes(size: number, hashes: readonly Uint8Array[]): CompactRange {
    if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`${size} is not the size of a tree`)
    const expected = countSetBits(size)
    if (hashes.length !== expected || hashes.some((each) => each.length !== HASH_BYTES)) {
      throw new RangeError(
        `A tree of size ${size} has ${expected} perfect subtrees of ${HASH_BYTES} bytes each`,
      )
    }
    return new CompactRange(
      size,
      hashes.map((each) => Buffer.from(each)),
    )
  }

  /** Reads what `toBuffer` wrote. */
  static fromBuffer(size: number, bytes: Uint8Array): CompactRange {
    const hashes: Uint8Array[] = []
    for (let offset = 0; offset < bytes.length; offset += HASH_BYTES) {
      hashes.push(bytes.subarray(offset, offset + HASH_BYTES))
    }
    return CompactRange.fromHashes(size, hashes)
  }

  get size(): number {
    return this.#size
  }

  get hashes(): readonly Buffer[] {
    return this.#hashes
  }

  copy(): CompactRange {
    return new CompactRange(this.#size, this.#hashes.slice())
  }

  toBuffer(): Buffer {
    return Buffer.concat(this.#hashes)
  }

  /** Returns the nodes to store that this leaf completes, lowest first: nearly always none. */
  append(leaf: Buffer): StoredNode[] {
    const completed: StoredNode[] = []
    let subtree = leaf
    let level = 0
    // Each trailing 1 bit of the size is a subtree as large as the current one. Division, since a size may exceed 2^31.
    let index = this.#size
    for (; index % 2 === 1; index = (index - 1) / 2) {
      const left = this.#hashes.pop()
      if (left === undefined) throw new Error('A compact range lost a subtree')
      subtree = nodeHash(left, subtree)
      level++
      if (level % STORED_LEVEL_STEP === 0) completed.push({ level, index: (index - 1) / 2, hash: subtree })
    }
    this.#hashes.push(subtree)
    this.#size++
    return completed
  }

  root(): Buffer {
    return this.#hashes.length === 0
      ? emptyRoot()
      : this.#hashes.reduceRight((right, left) => nodeHash(left, right))
  }
}

function countSetBits(size: number): number {
  let count = 0
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2
  return count
}
