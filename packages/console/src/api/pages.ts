import { infiniteQueryOptions } from '@tanstack/react-query'
import type { paths } from './client'
import { type GetPath, queryKeyOf, type ResponseOf, read } from './queries'

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
