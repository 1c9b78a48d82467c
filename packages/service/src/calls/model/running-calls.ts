/** The calls that this process runs, including those whose callers have disconnected. */
export class RunningCalls {
  /** Each call with a function that reports whether its answer has begun to reach the caller. */
  // Bounded: running calls, each with a connection and a body that is counted.
  readonly #calls = new Map<Promise<unknown>, () => boolean>()

  get size(): number {
    return this.#calls.size
  }

  /** Returns how many calls have begun to receive their answer. */
  countStreams(): number {
    return [...this.#calls.values()].filter((hasBegun) => hasBegun()).length
  }

  track<Result>(call: Promise<Result>, hasBegun: () => boolean): Promise<Result> {
    this.#calls.set(call, hasBegun)
    return call.finally(() => this.#calls.delete(call))
  }

  /** Resolves when all calls have ended. */
  async waitForAll(): Promise<void> {
    await Promise.allSettled(this.#calls.keys())
  }
}
