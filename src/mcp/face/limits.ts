/** How much callers may have open and unread. */
export interface FaceLimits {
  /** Of notifications that one answer holds for a caller that does not read. */
  unreadBytes: number
  keepAliveMs: number
  batchMessages: number
  /** Questions of servers that one call may have open. */
  openQuestions: number
  /** What the text of a question or a notification may have. */
  noticeBytes: number
  /** A reply to a question. */
  replyBytes: number
  /** Items in a page of a listing, and their text. */
  pageItems: number
  pageBytes: number
  /** For which a server's own listing is kept. */
  listingMs: number
  listingTimeoutMs: number
  listingBytes: number
  listingItems: number
  listings: number
  /** How long changes are gathered before callers are told. */
  changeDelayMs: number
}

const mebibyte = 1024 * 1024

export const defaultFaceLimits: FaceLimits = {
  unreadBytes: mebibyte,
  keepAliveMs: 15_000,
  batchMessages: 20,
  openQuestions: 16,
  noticeBytes: mebibyte / 4,
  replyBytes: 8 * mebibyte,
  pageItems: 1_000,
  pageBytes: 4 * mebibyte,
  listingMs: 15_000,
  listingTimeoutMs: 10_000,
  listingBytes: 2 * mebibyte,
  listingItems: 5_000,
  listings: 500,
  changeDelayMs: 250,
}
