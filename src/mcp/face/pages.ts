import { invalidParams } from './rpc.js'

/** An item of a listing, as JSON, and what it is sorted by. No two have the same. */
export interface ListedItem {
  key: string
  json: string
}

/**
 * A page of a listing. A cursor says after which key to go on: items that come or go between pages make no other appear twice or vanish.
 */
export function pageOf(
  items: readonly ListedItem[],
  cursor: unknown,
  limits: { pageItems: number; pageBytes: number },
): { items: string[]; nextCursor: string | null } {
  const after = cursor === undefined || cursor === null ? null : readCursor(cursor)
  const sorted = [...items].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  const rest = after === null ? sorted : sorted.filter(({ key }) => key > after)
  const page: ListedItem[] = []
  let bytes = 0
  for (const item of rest) {
    bytes += item.json.length
    if (page.length > 0 && (page.length >= limits.pageItems || bytes > limits.pageBytes)) break
    page.push(item)
  }
  const last = page.at(-1)
  const hasMore = page.length < rest.length && last !== undefined
  return { items: page.map(({ json }) => json), nextCursor: hasMore ? writeCursor(last.key) : null }
}

const writeCursor = (key: string): string => Buffer.from(key).toString('base64url')

function readCursor(cursor: unknown): string {
  const key = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : ''
  if (key === '' || writeCursor(key) !== cursor) throw invalidParams('The cursor is none of ours')
  return key
}
