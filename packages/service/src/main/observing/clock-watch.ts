import { startPeriodic } from '../../db/index.js'

export interface ClockWatchOptions {
  /** The time of the system clock, in milliseconds since 1970. */
  wallMs(): number
  /** The time of a monotonic clock, in milliseconds. */
  steadyMs(): number
  log: { warn(context: object, message: string): void }
  everyMs?: number
}

// Time servers adjust a clock by fractions of a second. A larger jump was made by hand, or the machine was suspended.
const minJumpMs = 2_000

/**
 * Logs a warning when the clock of the machine jumps: times on receipts, limits per minute and periods of budgets follow it, so
 * the jump must be traceable later.
 */
export function startClockWatch({ wallMs, steadyMs, log, everyMs = 5_000 }: ClockWatchOptions) {
  let offsetMs = wallMs() - steadyMs()

  async function check(): Promise<void> {
    const nowMs = wallMs()
    const jumpMs = nowMs - steadyMs() - offsetMs
    offsetMs += jumpMs
    if (Math.abs(jumpMs) < minJumpMs) return
    const seconds = (Math.abs(jumpMs) / 1_000).toFixed(1)
    log.warn(
      {},
      `the clock of this machine jumped ${jumpMs > 0 ? 'ahead' : 'back'} by ${seconds} s, to ${new Date(nowMs).toISOString()}: times in the record, limits per minute and periods of budgets follow it. Check its time service`,
    )
  }

  return startPeriodic({ run: check, everyMs, onError: () => undefined })
}
