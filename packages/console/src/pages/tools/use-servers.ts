import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { api, apiPages, apiQuery, expectSuccess, type ResponseOf, useInvalidate } from '../../api'
import { notify, notifyError } from '../../components'
import { keepFocus } from '../../components/overlay/keep-focus'
import { plural } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { spanOfReport, usageQuery } from '../../usage'

export type Server = ResponseOf<'/v1/mcp-servers'>['data'][number]
export type Tool = ResponseOf<'/v1/mcp-servers/{id}/tools'>['data'][number]
export type ToolState = Tool['state']

/** Loads all pages: a tenant has some dozens of servers. */
export function useServers() {
  const list = useInfiniteQuery(apiPages('/v1/mcp-servers', { limit: 200 }))
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

export const refreshServer = (id: string) => apiQuery('/v1/mcp-servers/{id}', { params: { path: { id } } })

export const useTools = (id: string) =>
  useQuery(apiQuery('/v1/mcp-servers/{id}/tools', { params: { path: { id } } }))

/** The paths to refetch after a change of a server or tool. */
export const serverPaths = ['/v1/mcp-servers', '/v1/attention'] as const
export const useRefreshServers = () => useInvalidate(serverPaths)

/**
 * Lists the tools of a server. A new server is listed when its page is opened; one with personal accounts, when the user connects
 * an account.
 */
export function useRefreshTools(server: Server, { mayRefresh }: { mayRefresh: boolean }) {
  const { id, name, enabled, status, connected } = server
  const refresh = useRefreshServers()
  const refreshTools = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/mcp-servers/{id}/refresh', { params: { path: { id } } })),
    onSuccess({ status, tools }) {
      if (status === 'failing')
        notifyError(`${name} is not responding`, new Error('See its page for the reason.'))
      else notify(`${name} lists ${plural(tools.length, 'tool')}`)
    },
    onError: (error) => notifyError(`${name} not refreshed`, error),
    onSettled: refresh,
  })
  const { mutate, isIdle } = refreshTools
  const wasConnected = useRef(connected)
  useEffect(() => {
    const isNew = status === 'unknown' && connected !== false && isIdle
    const isConnectedNow = status !== 'ok' && connected === true && wasConnected.current === false
    wasConnected.current = connected
    if (mayRefresh && enabled && (isNew || isConnectedNow)) mutate()
  }, [mayRefresh, enabled, status, connected, isIdle, mutate])
  return refreshTools
}

/** A tool as the user saw it. */
export type ReviewedTool = Pick<Tool, 'name' | 'hash'>

/** A decided tool leaves the list together with the focused button, so the focus is moved. */
const refreshAndKeepFocus = (refresh: () => Promise<void>) => async () => {
  await refresh()
  keepFocus()
}

/** Approves exactly what the user saw: the API refuses a tool that has changed since (409). */
export function useApprove({ id }: Server) {
  const refresh = useRefreshServers()
  return useMutation({
    mutationFn: async (tools: readonly ReviewedTool[]) =>
      await expectSuccess(
        api.POST('/v1/mcp-servers/{id}/approve', {
          params: { path: { id } },
          body: { tools: tools.map(({ name, hash }) => ({ name, hash })) },
        }),
      ),
    onSuccess: (_, [first, ...others]) =>
      notify(others.length === 0 ? `${first?.name} approved` : `${others.length + 1} tools approved`),
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
    onSuccess: (_, { name }) => notify(`${name} blocked`),
    onError: (error, { name }) => notifyError(`${name} not changed`, error),
    onSettled: refreshAndKeepFocus(refresh),
  })
}

/** Calls of the last 24 hours by server. */
export function useLastDay() {
  const timeZone = useTimeZone()
  const { data, error } = useQuery(
    usageQuery({ range: '24h', groupBy: 'server', interval: 'hour', timeZone }),
  )
  return useMemo(
    () => ({
      span: data && spanOfReport(data),
      isLoading: !data && !error,
      /** Undefined if unknown. */
      callsOf: (name: string): number | undefined =>
        data && (data.groups.find(({ key }) => key === name)?.requests ?? 0),
    }),
    [data, error],
  )
}
export type LastDay = ReturnType<typeof useLastDay>
