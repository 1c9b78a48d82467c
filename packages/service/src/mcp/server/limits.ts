/** The limits of the MCP server. */
export interface McpServerLimits {
  /** The unread bytes above which notifications are dropped. */
  unreadBytes: number
  keepAliveMs: number
  batchMessages: number
  /** The number of open questions of servers for each call. */
  openQuestions: number
  /** The longest question or notification. */
  noticeBytes: number
  /** The longest reply to a question. */
  replyBytes: number
  /** The number of items in a page of a listing, and the size of their text. */
  pageItems: number
  pageBytes: number
  /** How long a listing of a server is cached. */
  listingMs: number
  listingTimeoutMs: number
  listingBytes: number
  listingItems: number
  listings: number
  /** How long changes are collected before callers are notified. */
  changeDelayMs: number
}

const mebibyte = 1024 * 1024

export const defaultMcpServerLimits: McpServerLimits = {
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
