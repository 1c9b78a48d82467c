import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { type Answer, api, ask, askPages, expectSuccess } from '../../api'
import { plural } from '../../format'
import { say, sayFailed } from '../../parts'
import { keepFocus } from '../../parts/keep-focus'
import { useTimeZone } from '../../time/use-span'
import { askUsage, spanOfReport } from '../../usage'

export type Server = Answer<'/v1/mcp-servers'>['data'][number]
export type Tool = Answer<'/v1/mcp-servers/{id}/tools'>['data'][number]
export type ToolState = Tool['state']

/** All of them: a tenant has some tens. */
export function useServers() {
  const list = useInfiniteQuery(askPages('/v1/mcp-servers', { limit: 200 }))
  const { hasNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage) void fetchNextPage()
  }, [hasNextPage, fetchNextPage])
  return {
    rows: hasNextPage ? undefined : list.data,
    error: list.error,
    retry: () => void list.refetch(),
  }
}

export const askServer = (id: string) => ask('/v1/mcp-servers/{id}', { params: { path: { id } } })

export const useTools = (id: string) =>
  useQuery(ask('/v1/mcp-servers/{id}/tools', { params: { path: { id } } }))

/** What changes with a server or a tool. */
export function useRefreshServers() {
  const queries = useQueryClient()
  return () =>
    queries.invalidateQueries({
      predicate: ({ queryKey }) => /^\/v1\/(mcp-servers|attention)/.test(String(queryKey[0])),
    })
}

/**
 * Asks the server for its tools, now. One that was never asked is asked when somebody opens it; one that is asked as somebody, when
 * they have connected their account.
 */
export function useAskAgain(server: Server, { mayAsk }: { mayAsk: boolean }) {
  const { id, name, enabled, status, connected } = server
  const refresh = useRefreshServers()
  const ask = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/mcp-servers/{id}/refresh', { params: { path: { id } } })),
    onSuccess({ status, tools }) {
      if (status === 'failing') sayFailed(`${name} does not answer`, new Error('Its page says why.'))
      else say(`${name} lists ${plural(tools.length, 'tool')}`)
    },
    onError: (error) => sayFailed(`${name} was not asked`, error),
    onSettled: refresh,
  })
  const { mutate, isIdle } = ask
  const wasConnected = useRef(connected)
  useEffect(() => {
    const isNew = status === 'unknown' && connected !== false && isIdle
    const isConnectedNow = status !== 'ok' && connected === true && wasConnected.current === false
    wasConnected.current = connected
    if (mayAsk && enabled && (isNew || isConnectedNow)) mutate()
  }, [mayAsk, enabled, status, connected, isIdle, mutate])
  return ask
}

/** What somebody saw, and decides about. */
export type Seen = Pick<Tool, 'name' | 'hash'>

/** What was decided about leaves the list, and with it the button that had the focus. */
const refreshAndKeepFocus = (refresh: () => Promise<void>) => async () => {
  await refresh()
  keepFocus()
}

/** Approves what was seen, and nothing else: a tool that changed since is refused (409). */
export function useApprove({ id }: Server) {
  const refresh = useRefreshServers()
  return useMutation({
    mutationFn: async (tools: readonly Seen[]) =>
      await expectSuccess(
        api.POST('/v1/mcp-servers/{id}/approve', {
          params: { path: { id } },
          body: { tools: tools.map(({ name, hash }) => ({ name, hash })) },
        }),
      ),
    onSuccess: (_, [first, ...others]) =>
      say(others.length === 0 ? `${first?.name} is approved` : `${others.length + 1} tools are approved`),
    onSettled: refreshAndKeepFocus(refresh),
  })
}

export function useBlock({ id }: Server) {
  const refresh = useRefreshServers()
  return useMutation({
    mutationFn: async ({ name }: Tool) =>
      await expectSuccess(
        api.POST('/v1/mcp-servers/{id}/tools/{name}/block', { params: { path: { id, name } } }),
      ),
    onSuccess: (_, { name }) => say(`${name} is blocked`),
    onError: (error, { name }) => sayFailed(`${name} is as it was`, error),
    onSettled: refreshAndKeepFocus(refresh),
  })
}

/** Calls of the last 24 hours, by server. */
export function useLastDay() {
  const timeZone = useTimeZone()
  const { data, error } = useQuery(askUsage({ range: '24h', groupBy: 'server', interval: 'hour', timeZone }))
  return useMemo(
    () => ({
      span: data && spanOfReport(data),
      isLoading: !data && !error,
      /** Undefined where it is not known. */
      callsOf: (name: string): number | undefined =>
        data && (data.groups.find(({ key }) => key === name)?.requests ?? 0),
    }),
    [data, error],
  )
}
export type LastDay = ReturnType<typeof useLastDay>
