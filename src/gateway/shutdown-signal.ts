/** Rings once, when the service must stop and can wait no longer. */
export interface StopBell {
  rung(): boolean
  add(onRing: () => void): void
  remove(onRing: () => void): void
}

/**
 * One listener on the signal for all calls under way. A listener each would make the signal search through thousands
 * with every call that ends, and warn of a leak from the eleventh on.
 */
export function createStopBell(signal: AbortSignal): StopBell {
  const listeners = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const onRing of listeners) onRing()
  })
  return {
    rung: () => signal.aborted,
    add: (onRing) => void listeners.add(onRing),
    remove: (onRing) => void listeners.delete(onRing),
  }
}
