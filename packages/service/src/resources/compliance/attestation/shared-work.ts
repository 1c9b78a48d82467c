/** Runs work once for all callers that wait for the same result, and stops it when the last one leaves. */
export interface SharedWork<T> {
  /** Rejects when `signal` is aborted: the caller no longer waits. */
  join(name: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface Work<T> {
  result: Promise<T>
  waiting: number
  abort: AbortController
}

export function createSharedWork<T>(): SharedWork<T> {
  // Bounded: running work; callers that request the same result share it.
  const running = new Map<string, Work<T>>()

  // Other work may have started under the same name by then.
  function remove(name: string, work: Work<T>): void {
    if (running.get(name) === work) running.delete(name)
  }

  function startWork(name: string, start: (signal: AbortSignal) => Promise<T>): Work<T> {
    const abort = new AbortController()
    const work: Work<T> = { result: start(abort.signal), waiting: 0, abort }
    const done = () => remove(name, work)
    // Handles a rejection too, because nobody else does after the last caller has left.
    work.result.then(done, done)
    running.set(name, work)
    return work
  }

  return {
    async join(name, signal, start) {
      signal.throwIfAborted()
      const work = running.get(name) ?? startWork(name, start)
      work.waiting += 1
      let leave = () => {}
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(signal.reason)
        signal.addEventListener('abort', leave)
      })
      try {
        return await Promise.race([work.result, left])
      } finally {
        signal.removeEventListener('abort', leave)
        work.waiting -= 1
        // Removed before it is aborted: the next caller must not join work that is being stopped.
        if (work.waiting === 0) {
          remove(name, work)
          work.abort.abort()
        }
      }
    },
  }
}
