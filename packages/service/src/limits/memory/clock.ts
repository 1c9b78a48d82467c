export interface Clock {
  /** Returns milliseconds, possibly with a fraction, from an arbitrary start. Never goes back. */
  now(): number
  /**
   * Returns the difference between `now` and milliseconds since 1970, as a whole number. It is constant until the system time is set.
   */
  epochOffsetMs(): number
}

/** One reading of a clock. */
export interface ClockReading {
  readonly nowMs: number
  readonly epochOffsetMs: number
}

export const toEpochMs = ({ nowMs, epochOffsetMs }: ClockReading): number => Math.floor(nowMs + epochOffsetMs)

const maxDriftMs = 1_000

/**
 * Windows use the monotonic clock, and receipts the system time. The two differ by a constant, so that the time in a receipt is the time
 * that the window counted. The constant is measured again only after the system time was set or the machine slept: following every
 * difference of a few milliseconds would change the length of a minute.
 */
export function createSystemClock(): Clock {
  const measureOffsetMs = () => Math.round(Date.now() - performance.now())
  let offsetMs = measureOffsetMs()
  return {
    now: () => performance.now(),
    epochOffsetMs() {
      const measuredMs = measureOffsetMs()
      if (Math.abs(measuredMs - offsetMs) > maxDriftMs) offsetMs = measuredMs
      return offsetMs
    },
  }
}
