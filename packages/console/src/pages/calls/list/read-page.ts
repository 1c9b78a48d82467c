import { api, type components, expectSuccess } from '../../../api'
import type { CallFilterQuery } from '../search'

export type Call = components['schemas']['Call']

export interface CallPage {
  rows: Call[]
  /** The cursor of the next page; null on the last page. */
  next: string | null
}

export const pageSize = 100

/** The calls that a list shows. `to` is absent in live mode. */
export interface CallsQuery extends CallFilterQuery {
  from: string
  to?: string
}

/**
 * Reads a page with at least one call. A search for rare calls returns empty pages with a cursor, so reading continues until
 * there is a call or the end.
 */
export async function readPage(
  query: CallsQuery,
  { cursor, limit = pageSize, signal }: { cursor: string | null; limit?: number; signal: AbortSignal },
): Promise<CallPage> {
  let next = cursor
  for (;;) {
    const pageQuery = { ...query, limit, ...(next !== null && { cursor: next }) }
    const page = await expectSuccess(api.GET('/v1/calls', { params: { query: pageQuery }, signal }))
    if (page.data.length > 0 || page.nextCursor === null) return { rows: page.data, next: page.nextCursor }
    next = page.nextCursor
  }
}
