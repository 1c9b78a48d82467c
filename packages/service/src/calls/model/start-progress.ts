import type { IncomingHttpHeaders } from 'node:http'
import { type CallTrace, startStages } from '../core/index.js'
import type { ModelCallProgress } from './call.js'

export type BeginTrace = (headers: IncomingHttpHeaders) => CallTrace

/** Returns the progress of a call that has just arrived. `beginTrace` is null when tracing is off. */
export function startProgress(
  headers: IncomingHttpHeaders,
  nowMs: number,
  beginTrace: BeginTrace | null,
): ModelCallProgress {
  const trace = beginTrace === null ? null : beginTrace(headers)
  return {
    stages: startStages(nowMs),
    trace,
    nextTrace: () => trace && (beginTrace?.({ traceparent: trace.traceparent, ...headers }) ?? null),
    entitlements: null,
    call: null,
    target: null,
    isReported: false,
  }
}
