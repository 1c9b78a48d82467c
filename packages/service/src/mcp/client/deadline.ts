import { startTimer, type Timer } from '../../shared/deadline.js'
import { UpstreamFault } from './fault.js'

/** Until when a request may take. */
export interface Deadline {
  /** Aborted with an `UpstreamFault`: the time is over, or nobody waits any more. */
  readonly signal: AbortSignal
  /** The server said that it is still at work: the time begins again, within the bound for all of it. */
  extend(): void
  /** Time does not count while somebody else is waited for. Returns how to count on. */
  hold(): () => void
  /** Gives the request up for another reason. */
  fail(fault: UpstreamFault): void
  end(): void
}

// What progress and questions can make of the time that a server has. A server that reports progress for ever is given up too.
const maxExtension = 10
const maxTotalMs = 3_600_000

export function startDeadline(timeoutMs: number, signal: AbortSignal): Deadline {
  const controller = new AbortController()
  let held = 0
  const giveUp = (ms: number) =>
    controller.abort(new UpstreamFault('timeout', `The server gave no answer within ${ms / 1_000} s`))
  const start = () => startTimer(timeoutMs, () => giveUp(timeoutMs))

  let timer: Timer | undefined = start()
  const totalMs = Math.max(timeoutMs, Math.min(timeoutMs * maxExtension, maxTotalMs))
  const total = startTimer(totalMs, () => giveUp(totalMs))
  const onAbort = () => controller.abort(new UpstreamFault('cancelled', 'The call was cancelled'))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  function restart(): void {
    timer?.stop()
    timer = held === 0 ? start() : undefined
  }

  return {
    signal: controller.signal,
    extend: restart,
    hold() {
      held += 1
      restart()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        held -= 1
        restart()
      }
    },
    fail: (fault) => controller.abort(fault),
    end() {
      timer?.stop()
      total.stop()
      // Nothing starts the timer again.
      held = Number.POSITIVE_INFINITY
      signal.removeEventListener('abort', onAbort)
    },
  }
}

/** What the work gives, or a rejection as soon as the signal is aborted. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // How it ends is nobody's business once the signal was faster: a rejection that nobody handles would end the process.
  work.catch(() => undefined)
  signal.throwIfAborted()
  let onAbort: () => void = () => undefined
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
  })
  return await Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
