/** Fires once, when the service can no longer wait for open calls and must stop. */
export interface ShutdownSignal {
  fired(): boolean
  add(listener: () => void): void
  remove(listener: () => void): void
}

/**
 * Adds one listener to the signal for all open calls. With one listener per call, the signal would search through thousands whenever a
 * call ends, and Node would warn about a leak from the eleventh on.
 */
export function createShutdownSignal(signal: AbortSignal): ShutdownSignal {
  // Bounded: open calls.
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
