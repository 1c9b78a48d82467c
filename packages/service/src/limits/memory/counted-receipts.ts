const rememberedMs = 60_000

/**
 * The receipts of a tenant that were counted within the last minute, so that each is counted once. Two sets that are swapped every
 * minute need neither a timer nor a scan.
 */
export class CountedReceipts {
  // Bounded: receipts of one minute.
  #current = new Set<number>()
  // Bounded: receipts of the minute before.
  #previous = new Set<number>()
  #rotatedAtMs = Number.NEGATIVE_INFINITY

  /** Returns false when the receipt was counted before. */
  add(seq: number, nowMs: number): boolean {
    if (nowMs - this.#rotatedAtMs >= rememberedMs) {
      this.#previous = this.#current
      this.#current = new Set()
      this.#rotatedAtMs = nowMs
    }
    if (this.#current.has(seq) || this.#previous.has(seq)) return false
    this.#current.add(seq)
    return true
  }
}
