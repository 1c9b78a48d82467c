/** A clock that changes only when a test advances it. */
export class ManualClock {
  #nowMs: number

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  now(): number {
    return this.#nowMs
  }

  epochOffsetMs(): number {
    return 0
  }

  advance(ms: number): void {
    this.#nowMs += ms
  }

  /** Advances to the next whole millisecond. */
  align(): void {
    this.#nowMs = Math.floor(this.#nowMs) + 1
  }
}
