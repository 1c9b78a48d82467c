import type { IncomingHttpHeaders } from 'node:http'
import { randomHex, readTraceContext } from './context.js'
import type { createSampler } from './sampler.js'

/** The trace that a call belongs to. Plain data, made when the head of the call is here. */
export interface CallTrace {
  traceId: string
  /** The caller's span; null where the trace begins here. */
  parentId: string | null
  /** The first 14 digits of the ids of all spans of this call. */
  spanPrefix: string
  isSampled: boolean
  /** The caller's, to be passed on. */
  tracestate: string | null
  /** What the provider is told. */
  traceparent: string
  /** Milliseconds since 1970 less those of the clock that only grows. */
  clockOffsetMs: number
}

/** The last two digits of span ids. What a caller or a provider must know of has a fixed one. */
export const rootSuffix = '01'
export const attemptSuffix = '02'
export const firstStageSuffix = 3

const sampledFlag = 1
// Says that the trace id is random. It is passed on as it came.
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
