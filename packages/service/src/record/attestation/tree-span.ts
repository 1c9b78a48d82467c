import { hash } from 'node:crypto'
import { CompactRange, emptyRoot, HASH_BYTES } from '@tallystick/record/format'

// Hashes are strings of 32 characters here, one per byte. Measured on Node 20: 1.1 µs for an inner node, against
// 1.8 µs with buffers, since each hash would allocate one.

/** A perfect subtree over 2^level leaves; the first is leaf `index` × 2^level. */
interface Subtree {
  level: number
  index: number
  hash: string
}

/** A TreeSpan as plain data, to be sent between threads. */
export interface TreeSpanData {
  start: number
  end: number
  subtrees: Subtree[]
}

const scratch = Buffer.alloc(1 + 2 * HASH_BYTES)
scratch[0] = 1

function hashNode(left: string, right: string): string {
  scratch.write(left, 1, 'latin1')
  scratch.write(right, 1 + HASH_BYTES, 'latin1')
  return hash('sha256', scratch, 'binary')
}

/**
 * Consecutive leaves of a larger tree, as the roots of the fewest perfect subtrees that make them up. Unlike a compact
 * range it may begin at any leaf: several threads each build a span, and the spans are then joined.
 */
export class TreeSpan {
  readonly #start: number
  #end: number
  readonly #subtrees: Subtree[]

  private constructor(start: number, end: number, subtrees: Subtree[]) {
    this.#start = start
    this.#end = end
    this.#subtrees = subtrees
  }

  /** An empty span. */
  static at(start: number): TreeSpan {
    return new TreeSpan(start, start, [])
  }

  static fromData({ start, end, subtrees }: TreeSpanData): TreeSpan {
    return new TreeSpan(start, end, subtrees.slice())
  }

  /** The first `size` leaves, without their hashes: the root of a tree that begins with it matches no seal. */
  static unknown(size: number): TreeSpan {
    const span = TreeSpan.at(0)
    for (let width = 2 ** 52, level = 52; level >= 0; width /= 2, level--) {
      if (Math.floor(size / width) % 2 === 0) continue
      span.#push({ level, index: span.#end / width, hash: '\0'.repeat(HASH_BYTES) })
      span.#end += width
    }
    return span
  }

  static fromRange(range: CompactRange): TreeSpan {
    const { end, subtrees } = TreeSpan.unknown(range.size).toData()
    for (const [i, subtree] of subtrees.entries())
      subtree.hash = range.hashes[i]?.toString('latin1') ?? subtree.hash
    return new TreeSpan(0, end, subtrees)
  }

  get end(): number {
    return this.#end
  }

  copy(): TreeSpan {
    return new TreeSpan(this.#start, this.#end, this.#subtrees.slice())
  }

  toData(): TreeSpanData {
    return { start: this.#start, end: this.#end, subtrees: this.#subtrees.slice() }
  }

  /** Only for a span that begins at the first leaf. */
  toRange(): CompactRange {
    this.#requireWhole()
    return CompactRange.fromHashes(
      this.#end,
      this.#subtrees.map((subtree) => Buffer.from(subtree.hash, 'latin1')),
    )
  }

  addLeaf(leaf: string): void {
    this.#push({ level: 0, index: this.#end, hash: leaf })
    this.#end += 1
  }

  /** Appends a span that begins where this one ends. */
  addSpan(next: TreeSpanData): void {
    if (next.start !== this.#end)
      throw new RangeError(`A span from ${next.start} does not follow one that ends at ${this.#end}`)
    for (const subtree of next.subtrees) this.#push(subtree)
    this.#end = next.end
  }

  root(): Buffer {
    this.#requireWhole()
    const hashes = this.#subtrees.map((subtree) => subtree.hash)
    if (hashes.length === 0) return emptyRoot()
    return Buffer.from(
      hashes.reduceRight((right, left) => hashNode(left, right)),
      'latin1',
    )
  }

  #push(pushed: Subtree): void {
    let subtree = pushed
    for (let left = this.#subtrees.at(-1); left !== undefined; left = this.#subtrees.at(-1)) {
      if (left.level !== subtree.level || left.index % 2 === 1) break
      this.#subtrees.pop()
      subtree = {
        level: left.level + 1,
        index: left.index / 2,
        hash: hashNode(left.hash, subtree.hash),
      }
    }
    this.#subtrees.push(subtree)
  }

  #requireWhole(): void {
    if (this.#start !== 0)
      throw new Error(`A span from leaf ${this.#start} is not a whole tree and has no root`)
  }
}
