import type { Config } from '../../config/index.js'
import { createLog, createTracing, type Log, type Metrics, type Tracing } from '../../observability/index.js'

// At shutdown, the service waits at most this long for the collector to accept the last spans.
export const maxFlushMs = 5_000

export const openTracing = ({ traces }: Config, log: Log['general'], metrics: Metrics): Tracing | null =>
  traces &&
  createTracing({
    ...traces,
    log,
    onSpans: (result, count) => metrics.counter('spans', { outcome: result }).add(count),
  })

export const openLog = ({ logLevel, logFormat, logColour }: Config) =>
  createLog({ level: logLevel, format: logFormat, isColoured: logColour })
