/** The timeouts of a call to a provider. */
export interface Timeouts {
  connectMs: number
  firstByteMs: number
  idleMs: number
  totalMs: number
  /** How long a stream is read to its end for its usage after the caller has disconnected. */
  hangUpGraceMs: number
}

/** The maximum size of an answer. */
export interface AnswerLimits {
  maxStreamBytes: number
  /** The maximum for an answer that is not streamed. */
  maxAnswerBytes: number
}

// A reasoning model may take minutes until its first byte. Official clients wait for 10 minutes by default.
export const defaultTimeouts: Timeouts = {
  connectMs: 5_000,
  firstByteMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
  hangUpGraceMs: 5_000,
}

// A stream may be as large as about ten of the longest answers. A batch of 2,048 embeddings of 3,072 numbers is about 75 MB.
export const defaultLimits: AnswerLimits = {
  maxStreamBytes: 512 * 1024 * 1024,
  maxAnswerBytes: 128 * 1024 * 1024,
}
