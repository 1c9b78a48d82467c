/** The trace that a call belongs to, as far as the gateway must know it; the rest is for whoever made it. */
export interface CallTrace {
  traceId: string
  parentId: string | null
  spanPrefix: string
  isSampled: boolean
  /** The caller's: it goes to the provider, and is judged like other headers. */
  tracestate: string | null
  /** For the provider. We write it. */
  traceparent: string
  clockOffsetMs: number
}
