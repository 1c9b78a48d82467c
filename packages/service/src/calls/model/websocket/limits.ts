/** The limits on WebSockets. */
export interface SocketLimits {
  /** The number of open sockets for each key, and in total. */
  perKey: number
  total: number
  /** How long a socket stays open without a call. A client that reconnects sends the whole conversation again. */
  idleMs: number
  /** The interval of pings. A peer that did not answer by the next ping is disconnected. */
  pingMs: number
  /** The number of messages that may wait for the open call. */
  queued: number
  /** The number of invalid messages in a row after which the socket is closed. */
  faults: number
  /** The unread bytes above which an invalid message closes the socket instead of being answered. */
  unreadBytes: number
  /** How long an open call of a revoked caller may take to end by itself, so that the caller learns why. */
  revokedMs: number
  /** How long a peer may take to close its side. */
  closeMs: number
}

/** A socket needs about 50 KiB. A run of an agent has one socket for itself and one for each subagent. */
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
