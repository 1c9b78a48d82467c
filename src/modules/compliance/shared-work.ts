/** Work that several callers may wait for at once: it is done for all of them, and stopped when none is left. */
export interface SharedWork<T> {
  join(name: string, leaving: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T>
}

interface UnderWay<T> {
  result: Promise<T>
  waiting: number
  stop: AbortController
}

export function createSharedWork<T>(): SharedWork<T> {
  const underWay = new Map<string, UnderWay<T>>()

  // Only itself: by then another may be under way under the same name.
  function forget(name: string, work: UnderWay<T>): void {
    if (underWay.get(name) === work) underWay.delete(name)
  }

  function begin(name: string, start: (signal: AbortSignal) => Promise<T>): UnderWay<T> {
    const stop = new AbortController()
    const work: UnderWay<T> = { result: start(stop.signal), waiting: 0, stop }
    const done = () => forget(name, work)
    // Also when everyone has left: then nobody else hears of how it ended.
    work.result.then(done, done)
    underWay.set(name, work)
    return work
  }

  return {
    async join(name, leaving, start) {
      leaving.throwIfAborted()
      const work = underWay.get(name) ?? begin(name, start)
      work.waiting += 1
      let leave = () => {}
      const left = new Promise<never>((_, reject) => {
        leave = () => reject(leaving.reason)
        leaving.addEventListener('abort', leave)
      })
      try {
        return await Promise.race([work.result, left])
      } finally {
        leaving.removeEventListener('abort', leave)
        work.waiting -= 1
        // Whoever comes next must not wait for what is being stopped.
        if (work.waiting === 0) {
          forget(name, work)
          work.stop.abort()
        }
      }
    },
  }
}
