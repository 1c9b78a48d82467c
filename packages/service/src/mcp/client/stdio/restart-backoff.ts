const firstDelayMs = 1_000
const maxDelayMs = 60_000
// A process that ran this long counts as started successfully.
const stableMs = 30_000

/** Decides when a process may be started again after it has ended. The delay doubles with each process that ends soon after its start. */
export class RestartBackoff {
  readonly #now: () => number
  #startedAtMs = 0
  #delayMs = 0
  #notBeforeMs = 0

  constructor(now: () => number) {
    this.#now = now
  }

  /** How long to wait before the next start. Zero or negative when the process may start at once. */
  get waitMs(): number {
    return this.#notBeforeMs - this.#now()
  }

  onStart(): void {
    this.#startedAtMs = this.#now()
  }

  onEnd(): void {
    const wasStable = this.#now() - this.#startedAtMs >= stableMs
    const next = wasStable ? firstDelayMs : this.#delayMs * 2
    this.#delayMs = Math.min(Math.max(next, firstDelayMs), maxDelayMs)
    this.#notBeforeMs = this.#now() + this.#delayMs
  }
}
