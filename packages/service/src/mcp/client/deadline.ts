import { startTimer, type Timer } from '../../shared/deadline.js'
import { UpstreamFault } from './fault.js'

/** The time limit of a request. */
export interface Deadline {
  /** Aborted with an `UpstreamFault` when the time is over or the call is cancelled. */
  readonly signal: AbortSignal
  /** Starts the time limit again, because the server reported progress. The limit on the total time still applies. */
  extend(): void
  /** Stops the clock while the caller answers a question of the server. Returns a function that resumes it. */
  pause(): () => void
  /** Aborts the request for another reason. */
  fail(fault: UpstreamFault): void
  end(): void
}

// The limits on the total time, however often a server reports progress or asks questions.
const maxExtension = 10
const maxTotalMs = 3_600_000

export function startDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  const controller = new AbortController()
  let pauses = 0
  const abortAfter = (ms: number) =>
    controller.abort(new UpstreamFault('timeout', `The server did not answer within ${ms / 1_000} s`))
  const start = () => startTimer(timeoutMs, () => abortAfter(timeoutMs))

  let timer: Timer | undefined = start()
  const totalMs = Math.max(timeoutMs, Math.min(timeoutMs * maxExtension, maxTotalMs))
  const total = startTimer(totalMs, () => abortAfter(totalMs))
  const onAbort = () => controller.abort(new UpstreamFault('cancelled', 'The call was cancelled'))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  function restart(): void {
    timer?.stop()
    timer = pauses === 0 ? start() : undefined
  }

  return {
    signal: controller.signal,
    extend: restart,
    pause() {
      pauses += 1
      restart()
      let isPaused = true
      return () => {
        if (!isPaused) return
        isPaused = false
        pauses -= 1
        restart()
      }
    },
    fail: (fault) => controller.abort(fault),
    end() {
      timer?.stop()
      total.stop()
      // A pause that is still open must not start the timer again.
      pauses = Number.POSITIVE_INFINITY
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** Resolves like `work`, or rejects as soon as the signal is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // After an abort nobody awaits `work`, and an unhandled rejection would end the process.
  work.catch(() => undefined)
  signal.throwIfAborted()
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
