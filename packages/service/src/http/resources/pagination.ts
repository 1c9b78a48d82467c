import { createHmac, timingSafeEqual } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import { invalidField } from '../../shared/errors.js'

const defaultLimit = 50

export const PageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      default: defaultLimit,
      description: 'The maximum number of items per page',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The `nextCursor` of the previous page' }),
  ),
}

/** The parameters of a list that answers with an array. Without them, it answers with every item. */
export const ArrayPageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 200,
      description: `The maximum number of items per page: ${defaultLimit} with only a \`cursor\`. Without both, the response has every item`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The `cursor` in the `Link` header of the previous page' }),
  ),
}

export const nextPageHeader = {
  Link: Type.String({
    description:
      'The next page, relative to the URL of the request. Absent on the last page, and without `limit` and `cursor`',
    examples: ['<?limit=50&cursor=p4Jx0Q>; rel="next"'],
  }),
}

/** The URL is relative to that of the request, so that it is right behind a proxy that adds or removes a prefix. */
export const linkToNextPage = (cursor: string, limit = defaultLimit): string =>
  `<?limit=${limit}&cursor=${cursor}>; rel="next"`

/** A text that one of a row's names must contain, ignoring case. */
export const SearchText = (where: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: `Return only items with this text in ${where}, ignoring case`,
    }),
  )

export const Page = <T extends TSchema>(item: T, title: string) =>
  Type.Object(
    {
      data: Type.Array(item),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Send this value as `cursor` to get the next page. Null on the last page',
      }),
    },
    { title },
  )

/**
 * Signs positions in lists. A cursor is bound to its list, tenant and filter: a forged cursor, or one of another
 * list, is refused instead of returning some other page.
 */
export interface Cursors {
  encode(scope: string, position: string): string
  decode(scope: string, cursor: string): string
}

export function createCursors(secret: Buffer): Cursors {
  const sign = (scope: string, position: string) =>
    createHmac('sha256', secret).update(`${scope}\n${position}`).digest().subarray(0, 12)
  return {
    encode: (scope, position) =>
      Buffer.concat([sign(scope, position), Buffer.from(position)]).toString('base64url'),
    decode(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const position = bytes.subarray(12).toString()
      // The decoder skips invalid characters, so only the exact text that was issued is accepted.
      const isIntact = bytes.length > 12 && bytes.toString('base64url') === cursor
      if (isIntact && timingSafeEqual(bytes.subarray(0, 12), sign(scope, position))) return position
      throw invalidField('cursor', 'was not issued for this list; start without a cursor')
    },
  }
}

export interface PageRequest {
  limit: number
  /** The position after which the page starts; null for the first page. */
  after: string | null
}

/** Reads one row more than requested, to know whether there is a next page. */
export async function readPage<Row, Item>(options: {
  query: { limit?: number; cursor?: string }
  scope: string
  cursors: Cursors
  fetch(page: PageRequest): Promise<readonly Row[]>
  position(row: Row): string
  present(row: Row): Item | Promise<Item>
}): Promise<{ data: Item[]; nextCursor: string | null }> {
  const { query, scope, cursors } = options
  const limit = query.limit ?? defaultLimit
  const after = query.cursor === undefined ? null : cursors.decode(scope, query.cursor)
  const rows = await options.fetch({ limit: limit + 1, after })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    data: await Promise.all(page.map(options.present)),
    nextCursor:
      rows.length > limit && last !== undefined ? cursors.encode(scope, options.position(last)) : null,
  }
}
