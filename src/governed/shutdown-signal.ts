/** Fires once, when the service must stop and can wait no longer. */
export interface ShutdownSignal {
  fired(): boolean
  add(listener: () => void): void
  remove(listener: () => void): void
}

/**
 * One listener on the signal for all calls under way. One listener per call would make the signal search through
 * thousands for every call that ends, and warn of a leak from the eleventh on.
 */
export function createShutdownSignal(signal: AbortSignal): ShutdownSignal {
  const listeners = new Set<() => void>()
  signal.addEventListener('abort', () => {
    for (const listener of listeners) listener()
  })
  return {
    fired: () => signal.aborted,
    add: (listener) => void listeners.add(listener),
    remove: (listener) => void listeners.delete(listener),
  }
}
