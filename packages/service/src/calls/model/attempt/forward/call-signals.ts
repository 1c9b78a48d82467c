import type { ApiError } from '../../../../shared/errors.js'
import type { Revocations, ShutdownSignal } from '../../../core/index.js'
import type { DecidedModelAttempt } from '../attempt.js'

export interface SignalParts {
  revocations: Pick<Revocations, 'watch'>
  shutdown: ShutdownSignal
}

/** What may end a request to a provider early. */
export interface SignalHandlers {
  onCallerGone(): void
  onShutdown(): void
  /** Called when the caller loses its access. */
  onRevoked(why: ApiError): void
  /** Called when there was no content within the attempt's share of the route's timeout. */
  onContentTimeout(): void
}

export interface CallSignals {
  /** Ignores the caller and the shutdown from now on, because the answer is complete and paid for. */
  ignoreCaller(): void
  /** Ignores all signals. */
  stop(): void
}

// The longest delay that a timer supports.
const maxTimerMs = 2 ** 31 - 1

export function watchSignals(
  { caller, entitlements, contentTimeoutMs }: DecidedModelAttempt,
  { revocations, shutdown }: SignalParts,
  handlers: SignalHandlers,
): CallSignals {
  const onShutdown = () => handlers.onShutdown()
  const stopListening = caller.onGone(() => handlers.onCallerGone())
  shutdown.add(onShutdown)
  const stopWatching = revocations.watch(entitlements, (why) => handlers.onRevoked(why))
  const contentTimer =
    contentTimeoutMs === null
      ? undefined
      : setTimeout(() => handlers.onContentTimeout(), Math.min(contentTimeoutMs, maxTimerMs))
  const ignoreCaller = () => {
    stopListening()
    shutdown.remove(onShutdown)
  }
  return {
    ignoreCaller,
    stop() {
      ignoreCaller()
      stopWatching()
      clearTimeout(contentTimer)
    },
  }
}
