import type { IncomingHttpHeaders } from 'node:http'
import { randomHex, readTraceContext } from './context.js'
import type { createSampler } from './sampler.js'

/** The trace that a call belongs to. Plain data, created when the head of the request has arrived. */
export interface CallTrace {
  traceId: string
  /** The caller's span; null if the trace begins here. */
  parentId: string | null
  /** The first 14 hex digits of the ids of all spans of this call. */
  spanPrefix: string
  isSampled: boolean
  /** The caller's `tracestate`, which is passed on. */
  tracestate: string | null
  /** The header for the provider. */
  traceparent: string
  /** The difference between the system clock and the monotonic clock. */
  clockOffsetMs: number
}

/** The last two digits of span ids. The spans that callers and providers refer to have fixed ones. */
export const rootSuffix = '01'
export const attemptSuffix = '02'
export const firstStageSuffix = 3

const sampledFlag = 1
// The flag for a random trace id, which is passed on unchanged.
const randomFlag = 2

export function beginCallTrace(
  { traceparent, tracestate }: IncomingHttpHeaders,
  sample: ReturnType<typeof createSampler>,
): CallTrace {
  const parent = readTraceContext(traceparent, tracestate)
  const traceId = parent === null ? randomHex(16) : parent.traceId
  const spanPrefix = randomHex(7)
  const isSampled = sample(traceId, parent)
  const flags = (isSampled ? sampledFlag : 0) | ((parent?.flags ?? 0) & randomFlag)
  return {
    traceId,
    parentId: parent === null ? null : parent.parentId,
    spanPrefix,
    isSampled,
    tracestate: parent === null ? null : parent.tracestate,
    traceparent: `00-${traceId}-${spanPrefix}${attemptSuffix}-0${flags}`,
    clockOffsetMs: Date.now() - performance.now(),
  }
}
