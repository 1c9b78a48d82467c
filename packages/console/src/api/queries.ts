import { queryOptions } from '@tanstack/react-query'
import type { ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch'
import { ApiError } from './api-error'
import { api, type paths } from './client'

export type GetPath = ClientPathsWithMethod<typeof api, 'get'>
export type GetInit<P extends GetPath> = MaybeOptionalInit<paths[P], 'get'>
/** What a GET of this path is answered with. Some can be had as text too; nobody asks for that here. */
export type ResponseOf<P extends GetPath> = Exclude<MethodResponse<typeof api, 'get', P>, string>

/** What a list or a record is cached under. Its first part is the path, so that all of a path can be asked again at once. */
export const queryKeyOf = (path: string, init?: unknown) => [path, init ?? null] as const

/** A question to the API for `useQuery`, typed by its path. */
export function apiQuery<P extends GetPath>(path: P, init?: GetInit<P>) {
  return queryOptions({
    queryKey: queryKeyOf(path, (init as { params?: unknown } | undefined)?.params),
    queryFn: async ({ signal }): Promise<ResponseOf<P>> => await read(path, { ...(init as object), signal }),
  })
}

/** The client's types cannot be followed for a path that is a parameter: here, and only here, they are given up and taken up again. */
export async function read<T>(path: string, init: object): Promise<T> {
  const get = api.GET as unknown as (path: string, init: object) => Promise<Reply>
  return expectSuccess(await get(path, init)) as T
}

interface Reply {
  data?: unknown
  error?: unknown
  response: Response
}

/** Throws what the service said when it refused; otherwise what it answered. For mutations: `await expectSuccess(api.POST(…))`. */
export function expectSuccess<T extends Reply>(reply: T): NonNullable<T['data']>
export function expectSuccess<T extends Reply>(reply: Promise<T>): Promise<NonNullable<T['data']>>
export function expectSuccess(reply: Reply | Promise<Reply>): unknown {
  if (reply instanceof Promise) return reply.then(expectSuccess)
  if (!reply.response.ok) throw new ApiError(reply.response.status, reply.error, reply.response.headers)
  return reply.data
}
