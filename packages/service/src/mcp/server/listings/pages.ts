import { invalidParams } from '../protocol/rpc.js'

/** An item of a listing as JSON, with the unique key by which items are sorted. */
export interface ListedItem {
  key: string
  json: string
}

/**
 * Returns a page of a listing. A cursor holds the key of the last item, so that items added or removed between pages do not cause others to
 * be repeated or skipped.
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
  if (key === '' || writeCursor(key) !== cursor) throw invalidParams('The cursor is not valid')
  return key
}
