import { api, type components, expectSuccess } from '../../../api'
import type { CallFilterQuery } from '../search'

export type Call = components['schemas']['Call']

export interface CallPage {
  rows: Call[]
  /** Where the page after it begins; null when there is none. */
  next: string | null
}

export const pageSize = 100

/** Which calls a list is of. `to` is absent while it is live. */
export interface CallsQuestion extends CallFilterQuery {
  from: string
  to?: string
}

/**
 * A page with something on it. A search through rare calls answers with empty pages that say where to go on: it is gone on with until
 * there is a call, or nothing more to search.
 */
export async function readPage(
  question: CallsQuestion,
  { cursor, limit = pageSize, signal }: { cursor: string | null; limit?: number; signal: AbortSignal },
): Promise<CallPage> {
  let next = cursor
  for (;;) {
    const query = { ...question, limit, ...(next !== null && { cursor: next }) }
    const page = await expectSuccess(api.GET('/v1/calls', { params: { query }, signal }))
    if (page.data.length > 0 || page.nextCursor === null) return { rows: page.data, next: page.nextCursor }
    next = page.nextCursor
  }
}
