import { queryOptions } from '@tanstack/react-query'
import type { ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch'
import { ApiError } from './api-error'
import { api, type paths } from './client'

export type GetPath = ClientPathsWithMethod<typeof api, 'get'>
export type GetInit<P extends GetPath> = MaybeOptionalInit<paths[P], 'get'>
/** The JSON response of a GET. Text variants are excluded. */
export type ResponseOf<P extends GetPath> = Exclude<MethodResponse<typeof api, 'get', P>, string>

/** The query key of a list or record. The path comes first, so that all queries of a path can be invalidated together. */
export const queryKeyOf = (path: string, init?: unknown) => [path, init ?? null] as const

/** Query options for `useQuery`, typed by path. */
export function apiQuery<P extends GetPath>(path: P, init?: GetInit<P>) {
  return queryOptions({
    queryKey: queryKeyOf(path, (init as { params?: unknown } | undefined)?.params),
    queryFn: async ({ signal }): Promise<ResponseOf<P>> => await read(path, { ...(init as object), signal }),
  })
}

export const read = async <T>(path: string, init: object): Promise<T> => (await readReply<T>(path, init)).data

/** TypeScript cannot resolve the client's types for a generic path, so this is the only place that casts them. */
export async function readReply<T>(path: string, init: object): Promise<{ data: T; response: Response }> {
  const get = api.GET as unknown as (path: string, init: object) => Promise<Reply>
  const reply = await get(path, init)
  return { data: expectSuccess(reply) as T, response: reply.response }
}

interface Reply {
  data?: unknown
  error?: unknown
  response: Response
}

/** Returns the data, or throws the error of the service. For mutations: `await expectSuccess(api.POST(…))`. */
export function expectSuccess<T extends Reply>(reply: T): NonNullable<T['data']>
export function expectSuccess<T extends Reply>(reply: Promise<T>): Promise<NonNullable<T['data']>>
export function expectSuccess(reply: Reply | Promise<Reply>): unknown {
  if (reply instanceof Promise) return reply.then(expectSuccess)
  if (!reply.response.ok) throw new ApiError(reply.response.status, reply.error, reply.response.headers)
  return reply.data
}
