import { hostname } from 'node:os'
import { type Config, readVersion } from '../../config/index.js'
import { createLog, createTracing, type Log, type Metrics, type Tracing } from '../../observability/index.js'
import type { Outbound } from '../../outbound/index.js'

// At shutdown, the service waits at most this long for the collector to accept the last spans.
export const maxFlushMs = 5_000

const instanceAttribute = 'service.instance.id'

/** The name of this service among its replicas, in spans and metrics. It stays the same when the service is restarted. */
export const instanceIdOf = ({ traces, port }: Pick<Config, 'traces' | 'port'>): string =>
  traces?.resourceAttributes[instanceAttribute] ?? `${hostname()}:${port}`

export const openTracing = (
  config: Config,
  outbound: Outbound,
  log: Log['general'],
  metrics: Metrics,
): Tracing | null => {
  const { traces } = config
  if (traces === null) return null
  return createTracing({
    ...traces,
    resourceAttributes: {
      'service.version': readVersion(),
      ...traces.resourceAttributes,
      [instanceAttribute]: instanceIdOf(config),
    },
    agent: outbound.createAgent({
      isVetted: false,
      connections: 1,
      connectTimeoutMs: traces.timeoutMs,
    }),
    log,
    onSpans: (result, count) => metrics.counter('spans', { outcome: result }).add(count),
  })
}

export const openLog = ({ logLevel, logFormat, logColour }: Config) =>
  createLog({ level: logLevel, format: logFormat, isColoured: logColour })
