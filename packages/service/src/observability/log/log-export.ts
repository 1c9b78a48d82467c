import { createExporter, type ExporterOptions } from '../traces/exporter.js'
import { encodeEnvelope } from '../traces/resource.js'
import { encodeLogRecord } from './encode-log-record.js'
import type { Log } from './log.js'

export interface LogExportOptions
  extends Omit<ExporterOptions, 'head' | 'tail' | 'onDropped' | 'onExported'> {
  serviceName: string
  resourceAttributes: Readonly<Record<string, string>>
  /** Lines that were taken by the collector, or dropped. */
  onLines(result: 'exported' | 'dropped', count: number): void
  log: Pick<Log, 'mirrorTo'> & { general: { warn(fields: { lost: number }, message: string): void } }
}

export interface LogExport {
  close(graceMs: number): Promise<void>
}

const sayEveryMs = 60_000

/** Sends every line of the log to a collector too, by OTLP over HTTP. The standard output has all lines, also those that are dropped here. */
export function startLogExport(options: LogExportOptions): LogExport {
  const { log, onLines } = options
  let dropped = 0
  let saidAtMs = Number.NEGATIVE_INFINITY
  const exporter = createExporter({
    ...options,
    ...encodeEnvelope('logs', options.serviceName, options.resourceAttributes),
    onExported: (count) => onLines('exported', count),
    onDropped(count, why) {
      onLines('dropped', count)
      dropped += count
      const nowMs = performance.now()
      if (nowMs - saidAtMs < sayEveryMs) return
      saidAtMs = nowMs
      log.general.warn(
        { lost: dropped },
        `log lines were not sent to the collector: ${why}; check OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and the collector`,
      )
      dropped = 0
    },
  })
  log.mirrorTo((line) => exporter.add({ spans: encodeLogRecord(line), count: 1 }))
  return {
    async close(graceMs) {
      log.mirrorTo(null)
      await exporter.close(graceMs)
    },
  }
}
