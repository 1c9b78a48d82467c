interface Read<T> {
  hasBegun: boolean
  answer: Promise<T>
}

/**
 * Shares one report among requests that ask for the same, such as the tabs of several people after a call. A request never gets an answer
 * that was begun before it arrived: it waits for the one that is running, and shares the next with all that arrived in the meantime.
 */
export class SharedReads<T> {
  /** The newest read for each question. */
  // Bounded: one for each question of an open request, of which each key has 32.
  readonly #newest = new Map<string, Read<T>>()

  /** `question` must contain everything that the answer depends on, also who asks. `run` calls `begin` before it reads anything. */
  join(question: string, run: (begin: () => void) => Promise<T>): Promise<T> {
    const newest = this.#newest.get(question)
    if (newest && !newest.hasBegun) return newest.answer
    const begin = () => {
      read.hasBegun = true
    }
    const end = () => {
      if (this.#newest.get(question) === read) this.#newest.delete(question)
    }
    const runNext = () => run(begin)
    const answer = newest ? newest.answer.then(runNext, runNext) : Promise.resolve().then(runNext)
    const read: Read<T> = { hasBegun: false, answer: answer.finally(end) }
    this.#newest.set(question, read)
    return read.answer
  }
}
