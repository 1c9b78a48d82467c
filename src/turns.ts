/** Waits until it is this work's turn again. */
export type WaitForTurn = () => Promise<void>

/**
 * Long work waits here between its slices. One slice runs per turn of the event loop, for the whole process: a hundred
 * long inputs at once must not make every other call wait for a hundred slices.
 */
export function createTurns(): WaitForTurn {
  const waiting: (() => void)[] = []
  function next(): void {
    waiting.shift()?.()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (waiting.length === 1) setImmediate(next)
    })
}
