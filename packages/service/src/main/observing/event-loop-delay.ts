import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startPeriodic } from '../../db/index.js'

const windowMs = 10_000
// Each tick wakes an idle process and takes about 30 µs. A delay that lasts is sampled often enough; a single one shorter than this is seen
// in part or not at all.
const resolutionMs = 100

export interface EventLoopDelay {
  /** Returns the quantiles of the last complete window, in seconds; null before there is one. */
  quantiles(): Record<string, number> | null
  close(): Promise<void>
}

/**
 * Measures the delay of the event loop in windows. Reading it has no effect, whereas the runtime's histogram is reset by a reader,
 * so that each of two readers would see a part only.
 */
export function watchEventLoopDelay(onError: (error: unknown) => void): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  let last: Record<string, number> | null = null
  // The runtime measures the time between two ticks of a timer. Without delay, it equals the resolution.
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
