/** What sockets may take of the service. */
export interface SocketLimits {
  /** Open at once. */
  perKey: number
  total: number
  /** Without a call, for so long: then it is closed. Whoever comes back sends the whole conversation once more. */
  idleMs: number
  /** How often a peer is asked whether it is still there. One that did not answer by the next time is gone. */
  pingMs: number
  /** Messages that wait for the call ahead of them. */
  queued: number
  /** Messages in a row that are no calls: then it is closed. */
  faults: number
  /** What was written to it and not read, beyond which it gets no word of its faults. */
  unreadBytes: number
  /** How long a caller that may call no more is waited for, so that it is told why. */
  revokedMs: number
  /** How long a peer has to close its side. */
  closeMs: number
}

/** A socket takes some 50 KiB, and one run of an agent has one for itself and one for each of its helpers. */
export const defaultSocketLimits: SocketLimits = {
  perKey: 256,
  total: 4_096,
  idleMs: 15 * 60_000,
  pingMs: 30_000,
  queued: 4,
  faults: 16,
  unreadBytes: 1024 * 1024,
  revokedMs: 500,
  closeMs: 1_000,
}
