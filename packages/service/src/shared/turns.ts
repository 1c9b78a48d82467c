import type { WaitForTurn } from '@tallystick/record/json'

export type { WaitForTurn }

export interface Turns extends WaitForTurn {
  /** How many wait. */
  waiting(): number
}

/**
 * Long work waits here between its slices. One slice runs per turn of the event loop, for the whole process: a hundred
 * long inputs at once must not make every other call wait for a hundred slices.
 */
export function createTurns(): Turns {
  // Bounded: work of calls under way, each with a body that is counted; of a semaphore, what callers wait
  // for.
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

/** Returns a function that runs tasks, at most `atOnce` at a time. Further tasks wait in order of arrival. */
export function createSemaphore(atOnce: number): <T>(act: () => Promise<T>) => Promise<T> {
  let running = 0
  // Bounded: work of calls under way, each with a body that is counted; of a semaphore, what callers wait
  // for.
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
