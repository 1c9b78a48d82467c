const rememberedMs = 60_000

/** Which receipts of a tenant were reported in the last minute, so that each counts once. Two sets take turns: no timer, no scan. */
export class ReportedReceipts {
  // Bounded: receipts of one minute.
  #current = new Set<number>()
  // Bounded: receipts of the minute before.
  #previous = new Set<number>()
  #turnedAtMs = Number.NEGATIVE_INFINITY

  /** False when it was reported before. */
  add(seq: number, nowMs: number): boolean {
    if (nowMs - this.#turnedAtMs >= rememberedMs) {
      this.#previous = this.#current
      this.#current = new Set()
      this.#turnedAtMs = nowMs
    }
    if (this.#current.has(seq) || this.#previous.has(seq)) return false
    this.#current.add(seq)
    return true
  }
}
