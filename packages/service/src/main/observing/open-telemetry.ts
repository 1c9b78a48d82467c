import { hostname } from 'node:os'
import { type Config, readVersion } from '../../config/index.js'
import {
  createLog,
  createTracing,
  type Log,
  type LogExport,
  type Metrics,
  startLogExport,
  type Tracing,
} from '../../observability/index.js'
import type { Outbound } from '../../outbound/index.js'

// At shutdown, the service waits at most this long for the collector to accept the last spans.
export const maxFlushMs = 5_000

const instanceAttribute = 'service.instance.id'

/** The name of this service among its replicas, in spans and metrics. It stays the same when the service is restarted. */
export const instanceIdOf = ({
  traces,
  logExport,
  port,
}: Pick<Config, 'traces' | 'logExport' | 'port'>): string =>
  (traces ?? logExport)?.resourceAttributes[instanceAttribute] ?? `${hostname()}:${port}`

const describeInstance = (config: Config, attributes: Record<string, string>) => ({
  'service.version': readVersion(),
  ...attributes,
  [instanceAttribute]: instanceIdOf(config),
})

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
    resourceAttributes: describeInstance(config, traces.resourceAttributes),
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

/** Starts to send the log to a collector too, if that is configured. */
export function openLogExport(
  config: Config,
  outbound: Outbound,
  log: Log,
  metrics: Metrics,
): LogExport | null {
  const { logExport } = config
  if (logExport === null) return null
  return startLogExport({
    ...logExport,
    resourceAttributes: describeInstance(config, logExport.resourceAttributes),
    agent: outbound.createAgent({ isVetted: false, connections: 1, connectTimeoutMs: logExport.timeoutMs }),
    log,
    onLines: (result, count) => metrics.counter('exportedLines', { outcome: result }).add(count),
  })
}
