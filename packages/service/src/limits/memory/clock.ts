export interface Clock {
  /** Milliseconds, fractions welcome, from any start; never goes back. */
  now(): number
  /** What turns a reading of `now` into milliseconds since 1970: whole, and the same for as long as nobody sets the time. */
  offsetMs(): number
}

const noticeableMs = 1_000

/**
 * Windows are measured by a clock that nobody can set back, and receipts carry the time of day: the two differ by a
 * constant, so that what a receipt shows is what the window counted. Only when the time was set, or the machine slept,
 * is the constant measured again: following every difference of some milliseconds would change the length of a minute.
 */
export function createSystemClock(): Clock {
  const measure = () => Math.round(Date.now() - performance.now())
  let offsetMs = measure()
  return {
    now: () => performance.now(),
    offsetMs() {
      const measuredMs = measure()
      if (Math.abs(measuredMs - offsetMs) > noticeableMs) offsetMs = measuredMs
      return offsetMs
    },
  }
}
