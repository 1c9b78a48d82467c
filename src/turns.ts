/** Waits until it is this work's turn again. */
export type WaitForTurn = () => Promise<void>

export interface Turns extends WaitForTurn {
  /** How many wait. */
  waiting(): number
}

/**
 * Long work waits here between its slices. One slice runs per turn of the event loop, for the whole process: a hundred
 * long inputs at once must not make every other call wait for a hundred slices.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = []
  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  const waitForTurn = () =>
    new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
  return Object.assign(waitForTurn, { waiting: () => waiting.length })
}

/** Runs what it is given, so many at a time; the rest waits in the order in which it came. */
export function createTurnstile(atOnce: number): <T>(act: () => Promise<T>) => Promise<T> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (act) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await act()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}
