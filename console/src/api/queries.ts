import { queryOptions } from '@tanstack/react-query'
import type { ClientPathsWithMethod, MaybeOptionalInit, MethodResponse } from 'openapi-fetch'
import { api, type paths } from './client'
import { Problem } from './problem'

export type GetPath = ClientPathsWithMethod<typeof api, 'get'>
export type GetInit<P extends GetPath> = MaybeOptionalInit<paths[P], 'get'>
/** What a GET of this path is answered with. */
export type Answer<P extends GetPath> = MethodResponse<typeof api, 'get', P>

/** What a list or a record is cached under. Its first part is the path, so that all of a path can be asked again at once. */
export const keyOf = (path: string, init?: unknown) => [path, init ?? null] as const

/** A question to the API for `useQuery`, typed by its path. */
export function ask<P extends GetPath>(path: P, init?: GetInit<P>) {
  return queryOptions({
    queryKey: keyOf(path, (init as { params?: unknown } | undefined)?.params),
    queryFn: async ({ signal }): Promise<Answer<P>> => {
      const get = api.GET as unknown as (path: string, init: object) => Promise<Reply>
      return expectSuccess(await get(path, { ...(init as object | undefined), signal })) as Answer<P>
    },
  })
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
  if (!reply.response.ok) throw new Problem(reply.response.status, reply.error, reply.response.headers)
  return reply.data
}
