/** The trace of a call, as far as the gateway needs it. */
export interface CallTrace {
  traceId: string
  parentId: string | null
  spanPrefix: string
  isSampled: boolean
  /** The header that the caller sent. It is forwarded to the provider, and policies judge it like other headers. */
  tracestate: string | null
  /** The header that this service writes for the provider. */
  traceparent: string
  clockOffsetMs: number
}
