/** Returns a function that runs work, at most `maxConcurrent` at a time. Other work waits and runs in the order in which it came. */
export function createSemaphore(maxConcurrent: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0
  // Bounded: one for each request that waits.
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= maxConcurrent) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
