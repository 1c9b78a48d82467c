import type { IncomingHttpHeaders } from 'node:http'
import type { CallSummary } from '../call-summary.js'
import { beginCallTrace, type CallTrace } from './call-trace.js'
import { encodeCall } from './encode-call.js'
import { createExporter, type ExporterOptions } from './exporter.js'
import { encodeEnvelope } from './resource.js'
import { createSampler, type SamplerName } from './sampler.js'

export interface TracingOptions extends Omit<ExporterOptions, 'head' | 'tail' | 'onDropped' | 'onExported'> {
  serviceName: string
  resourceAttributes: Readonly<Record<string, string>>
  sampler: SamplerName
  ratio: number
  /** Spans that were taken by the collector, or dropped. */
  onSpans(result: 'exported' | 'dropped', count: number): void
  log: { warn(fields: { dropped: number }, message: string): void }
}

export interface Tracing {
  /** The trace of a call whose head is here. */
  begin(headers: IncomingHttpHeaders): CallTrace
  finish(trace: CallTrace, summary: CallSummary): void
  close(graceMs: number): Promise<void>
}

const sayEveryMs = 60_000

/** Traces of calls, sent to a collector by OTLP over HTTP. */
export function createTracing(options: TracingOptions): Tracing {
  const sample = createSampler(options.sampler, options.ratio)
  let dropped = 0
  let saidAtMs = Number.NEGATIVE_INFINITY
  const exporter = createExporter({
    ...options,
    ...encodeEnvelope('traces', options.serviceName, options.resourceAttributes),
    onExported: (count) => options.onSpans('exported', count),
    onDropped(count, why) {
      options.onSpans('dropped', count)
      dropped += count
      const nowMs = performance.now()
      if (nowMs - saidAtMs < sayEveryMs) return
      saidAtMs = nowMs
      const advice = 'check OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and the collector'
      options.log.warn({ dropped }, `spans were dropped: ${why}; ${advice}`)
      dropped = 0
    },
  })
  return {
    begin: (headers) => beginCallTrace(headers, sample),
    finish(trace, summary) {
      if (trace.isSampled) exporter.add(encodeCall(trace, summary))
    },
    close: exporter.close,
  }
}
