import type { Config } from '../../config/index.js'
import { createLog, createTracing, type Log, type Metrics, type Tracing } from '../../observability/index.js'
import type { Outbound } from '../../outbound/index.js'

// At shutdown, the service waits at most this long for the collector to accept the last spans.
export const maxFlushMs = 5_000

export const openTracing = (
  { traces }: Config,
  outbound: Outbound,
  log: Log['general'],
  metrics: Metrics,
): Tracing | null =>
  traces &&
  createTracing({
    ...traces,
    agent: outbound.createAgent({
      isVetted: false,
      connections: 1,
      connectTimeoutMs: traces.timeoutMs,
    }),
    log,
    onSpans: (result, count) => metrics.counter('spans', { outcome: result }).add(count),
  })

export const openLog = ({ logLevel, logFormat, logColour }: Config) =>
  createLog({ level: logLevel, format: logFormat, isColoured: logColour })
