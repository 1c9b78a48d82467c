import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startPeriodic } from '../../db/index.js'

const windowMs = 10_000
const resolutionMs = 10

export interface EventLoopDelay {
  /** In seconds, of the last window that is over; null before the first is. */
  quantiles(): Record<string, number> | null
  close(): Promise<void>
}

/**
 * How late the event loop was, window by window. Whoever reads it changes nothing: the runtime's own figures begin anew at every
 * reading, so that of two readers each sees a part.
 */
export function watchEventLoopDelay(onError: (error: unknown) => void): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let last: Record<string, number> | null = null
  // What is measured is the time between two ticks of a timer, which would be its resolution if nothing was late.
  const toSeconds = (nanos: number) => Math.max(0, nanos / 1e9 - resolutionMs / 1_000)
  const loop = startPeriodic({
    async run() {
      last = {
        '0.5': toSeconds(histogram.percentile(50)),
        '0.99': toSeconds(histogram.percentile(99)),
        '1': toSeconds(histogram.max),
      }
      histogram.reset()
    },
    everyMs: windowMs,
    onError,
  })
  return {
    quantiles: () => last,
    async close() {
      await loop.close()
      histogram.disable()
    },
  }
}
