/**
 * Which receipts of a tenant were told, so that each counts once. Their numbers have no gaps, and come nearly in order:
 * what is kept is the number up to which all have come, and the few above it.
 */
export class ToldReceipts {
  #allUpTo: number
  readonly #above = new Set<number>()

  constructor(allUpTo: number) {
    this.#allUpTo = allUpTo
  }

  /** False when it was told before. */
  add(seq: number): boolean {
    if (seq <= this.#allUpTo || this.#above.has(seq)) return false
    this.#above.add(seq)
    while (this.#above.delete(this.#allUpTo + 1)) this.#allUpTo++
    return true
  }
}
