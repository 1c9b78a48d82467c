const initialCapacity = 8

/**
 * The amounts admitted within the last `windowMs`, oldest first.
 *
 * Admissions of the same millisecond share a bucket, so a minute needs at most 60,000 buckets whatever the traffic. A
 * bucket has the time of its *latest* admission and expires with it, which makes the window at most a millisecond too
 * long and never too short. (Rounding times down to the millisecond instead would need a spare millisecond in every
 * window, and a call refused in the millisecond of the last admission would be told to retry after 61 seconds.)
 *
 * Two flat arrays with a moving head make appending and pruning amortised O(1) without garbage. Only a refusal reads
 * the buckets, as far as it needs: 0.1 to 0.2 ms at worst, for every bucket of a full minute.
 */
export class RollingWindow {
  readonly windowMs: number
  #moments = new Float64Array(initialCapacity)
  #amounts = new Float64Array(initialCapacity)
  #head = 0
  #end = 0
  #total = 0

  constructor(windowMs: number) {
    if (!(windowMs > 0)) throw new RangeError(`The duration of a window must be positive, not ${windowMs} ms`)
    this.windowMs = windowMs
  }

  get total(): number {
    return this.#total
  }

  get bucketCount(): number {
    return this.#end - this.#head
  }

  prune(nowMs: number): void {
    while (this.#head < this.#end && this.#expiresInMs(this.#head, nowMs) <= 0) {
      this.#total -= this.#amountAt(this.#head)
      this.#head++
    }
    if (this.#head === this.#end) this.#head = this.#end = 0
  }

  /** Adds to the amount admitted at `momentMs`. A negative amount is subtracted. */
  add(momentMs: number, amount: number): void {
    if (amount === 0) return
    const index = this.#findOrInsertBucket(momentMs)
    this.#amounts[index] = this.#amountAt(index) + amount
    this.#total += amount
    this.#dropEmptyTail()
  }

  /** Returns how long `amount` has to wait until it fits under `limit`: 0 when it fits now, Infinity when it never will. */
  waitMs(amount: number, limit: number, nowMs: number): number {
    let excess = this.#total + amount - limit
    if (excess <= 0) return 0
    for (let index = this.#head; index < this.#end; index++) {
      excess -= this.#amountAt(index)
      if (excess <= 0) return this.#expiresInMs(index, nowMs)
    }
    return Number.POSITIVE_INFINITY
  }

  /** Returns how long it takes until the window is empty. */
  resetMs(nowMs: number): number {
    return this.#head === this.#end ? 0 : this.#expiresInMs(this.#end - 1, nowMs)
  }

  // The age is subtracted first: with fractions, `moment + windowMs - nowMs` can round to slightly more than windowMs, and a
  // wait of 60.00000000000001 seconds would be rounded up to 61.
  #expiresInMs(index: number, nowMs: number): number {
    return this.windowMs - (nowMs - this.#momentAt(index))
  }

  // The index is never out of bounds here. The fallback is for the type.
  #momentAt(index: number): number {
    return this.#moments[index] ?? 0
  }

  #amountAt(index: number): number {
    return this.#amounts[index] ?? 0
  }

  /** Returns the index of the bucket for an admission at `momentMs`, which is inserted if there is none. */
  #findOrInsertBucket(momentMs: number): number {
    const next = this.#firstAtOrAfter(momentMs)
    if (next < this.#end && Math.floor(this.#momentAt(next)) === Math.floor(momentMs)) return next
    if (next > this.#head && Math.floor(this.#momentAt(next - 1)) === Math.floor(momentMs)) {
      this.#moments[next - 1] = momentMs
      return next - 1
    }
    return this.#insert(next, momentMs)
  }

  #firstAtOrAfter(momentMs: number): number {
    let high = this.#end
    if (high === this.#head || this.#momentAt(high - 1) < momentMs) return high
    let low = this.#head
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#momentAt(middle) < momentMs) low = middle + 1
      else high = middle
    }
    return low
  }

  // This nearly always appends. It inserts for a call that claimed nothing, and so has no bucket, but used something.
  #insert(position: number, momentMs: number): number {
    const index = position - this.#makeRoom()
    if (index < this.#end) {
      this.#moments.copyWithin(index + 1, index, this.#end)
      this.#amounts.copyWithin(index + 1, index, this.#end)
    }
    this.#moments[index] = momentMs
    this.#amounts[index] = 0
    this.#end++
    return index
  }

  /** Makes room for one more bucket at the end. Returns by how many places the buckets moved forward. */
  #makeRoom(): number {
    const capacity = this.#moments.length
    if (this.#end < capacity) return 0
    const moved = this.#head
    const nextCapacity = this.bucketCount > capacity / 2 ? capacity * 2 : capacity
    this.#moments = shift(this.#moments, this.#head, nextCapacity)
    this.#amounts = shift(this.#amounts, this.#head, nextCapacity)
    this.#end -= moved
    this.#head = 0
    return moved
  }

  // The last bucket is never empty, so resetMs() need not skip thousands of empty buckets when a provider is down and every
  // call frees its tokens.
  #dropEmptyTail(): void {
    while (this.#end > this.#head && this.#amountAt(this.#end - 1) === 0) this.#end--
  }
}

function shift(values: Float64Array<ArrayBuffer>, from: number, capacity: number): Float64Array<ArrayBuffer> {
  if (capacity === values.length) return values.copyWithin(0, from)
  const grown = new Float64Array(capacity)
  grown.set(values.subarray(from))
  return grown
}
