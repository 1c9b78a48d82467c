import { startPeriodic } from '../../db/index.js'

export interface ClockWatchOptions {
  /** In milliseconds since 1970. */
  wallMs(): number
  /** In milliseconds since some moment; never set by anybody. */
  steadyMs(): number
  log: { warn(context: object, message: string): void }
  everyMs?: number
}

// A time server moves a clock by fractions of a second at a time; a jump beyond this is set by hand, or a machine that was resumed.
const noticedMs = 2_000

/**
 * Says when the clock of the machine jumps: times on receipts, limits per minute and periods of budgets follow it, so whoever reads them
 * later must be able to find out.
 */
export function startClockWatch({ wallMs, steadyMs, log, everyMs = 1_000 }: ClockWatchOptions) {
  let offsetMs = wallMs() - steadyMs()

  async function look(): Promise<void> {
    const nowMs = wallMs()
    const jumpMs = nowMs - steadyMs() - offsetMs
    offsetMs += jumpMs
    if (Math.abs(jumpMs) < noticedMs) return
    const seconds = (Math.abs(jumpMs) / 1_000).toFixed(1)
    log.warn(
      {},
      `the clock of this machine went ${jumpMs > 0 ? 'ahead' : 'back'} by ${seconds} s, to ${new Date(nowMs).toISOString()}: times in the record, limits per minute and periods of budgets follow it. See to its time service`,
    )
  }

  return startPeriodic({ run: look, everyMs, onError: () => undefined })
}
