import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { paths } from './client'
import { type GetPath, queryKeyOf, type ResponseOf, read, readReply } from './queries'

/** The paths of paginated lists. */
type ListPath = {
  [P in GetPath]: ResponseOf<P> extends { data: unknown[]; nextCursor: string | null } ? P : never
}[GetPath]
type RowOf<P extends ListPath> = ResponseOf<P> extends { data: (infer Row)[] } ? Row : never
interface Page<Row> {
  data: Row[]
  nextCursor: string | null
}
type QueryOf<P extends ListPath> = paths[P] extends { get: { parameters: { query?: infer Query } } }
  ? Omit<NonNullable<Query>, 'cursor'>
  : never

/** Options of `useInfiniteQuery` for a paginated list; `data` has all rows that were loaded so far. */
export function apiPages<P extends ListPath>(path: P, query?: QueryOf<P>) {
  return infiniteQueryOptions({
    queryKey: [...queryKeyOf(path, { query }), 'pages'],
    queryFn: async ({ signal, pageParam }): Promise<Page<RowOf<P>>> =>
      await read(path, { params: { query: { ...query, cursor: pageParam ?? undefined } }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
  })
}

/** The lists that answer with arrays and have a `Link` header to the next page. */
type ArrayPath = '/v1/prompts' | '/v1/team/teams'

/** Query options for `useQuery` that load all pages of a list: it is sorted and filtered here. */
export function apiWholeList<P extends ArrayPath>(path: P) {
  return queryOptions({
    queryKey: queryKeyOf(path),
    async queryFn({ signal }): Promise<ResponseOf<P>[number][]> {
      const rows: ResponseOf<P>[number][] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const init = { params: { query: { limit: 200, cursor } }, signal }
        const { data, response } = await readReply<ResponseOf<P>[number][]>(path, init)
        rows.push(...data)
        cursor = nextCursorOf(response)
      }
      return rows
    },
  })
}

function nextCursorOf({ headers }: Response): string | null {
  const [, query] = /^<\?([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
  return new URLSearchParams(query).get('cursor')
}
