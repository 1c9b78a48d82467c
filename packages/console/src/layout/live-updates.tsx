import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { baseUrl, escapeDirectionMarks } from '../api'
import { startRefetchPace } from './refetch-pace'

/** An event of the service. */
export interface LiveEvent {
  type: 'call' | 'alert' | 'budget' | 'provider'
  data: Record<string, unknown>
}

export type LiveState = 'live' | 'connecting' | 'polling' | 'paused'

interface LiveUpdatesValue {
  state: LiveState
  /** Subscribes to events; returns a function that unsubscribes. */
  listen(listener: (event: LiveEvent) => void): () => void
}

const LiveContext = createContext<LiveUpdatesValue>({ state: 'polling', listen: () => () => undefined })

/** The paths to refetch after an event. */
const pathsByEvent: Record<LiveEvent['type'], readonly string[]> = {
  call: [
    '/v1/calls',
    '/v1/calls/density',
    '/v1/usage',
    '/v1/usage/latency',
    '/v1/policies/hits',
    '/v1/budgets',
    '/v1/budgets/{id}',
    '/v1/keys/{id}/standing',
  ],
  alert: [
    '/v1/audit-log',
    '/v1/budgets',
    '/v1/attention',
    '/v1/mcp-servers',
    '/v1/mcp-servers/{id}',
    '/v1/mcp-servers/{id}/tools',
  ],
  budget: ['/v1/budgets', '/v1/budgets/{id}', '/v1/budgets/requests'],
  provider: ['/v1/providers', '/v1/providers/{id}', '/v1/attention'],
}

const pollMs = 15_000
const pauseAfterMs = 60_000

/**
 * Subscribes to the event stream and refetches the lists that an event affects. If no stream can be opened, the lists are
 * polled instead. A hidden tab pauses.
 */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('connecting')
  const listeners = useRef(new Set<(event: LiveEvent) => void>())

  useEffect(() => {
    let source: EventSource | null = null
    let pollTimer: ReturnType<typeof setInterval> | undefined
    let pauseTimer: ReturnType<typeof setTimeout> | undefined
    const pace = startRefetchPace(queries)
    const poll = () => {
      setState('polling')
      pollTimer ??= setInterval(
        () => !document.hidden && pace.markStale(Object.values(pathsByEvent).flat()),
        pollMs,
      )
    }
    const stopPolling = () => {
      clearInterval(pollTimer)
      pollTimer = undefined
    }
    const open = () => {
      if (source) return
      source = new EventSource(`${baseUrl}/v1/events/stream`, { withCredentials: true })
      source.addEventListener('hello', () => {
        stopPolling()
        setState('live')
      })
      for (const type of ['call', 'alert', 'budget', 'provider'] as const)
        source.addEventListener(type, (message) => {
          const event: LiveEvent = { type, data: JSON.parse(escapeDirectionMarks(message.data)) }
          for (const listener of listeners.current) listener(event)
          pace.markStale(pathsByEvent[type])
        })
      source.onerror = () => {
        if (source?.readyState === EventSource.CLOSED) source = null
        poll()
      }
    }
    const close = () => {
      source?.close()
      source = null
    }
    const onVisibility = () => {
      clearTimeout(pauseTimer)
      if (!document.hidden) return open()
      pauseTimer = setTimeout(() => {
        close()
        stopPolling()
        setState('paused')
      }, pauseAfterMs)
    }
    open()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      clearTimeout(pauseTimer)
      pace.close()
      stopPolling()
      close()
    }
  }, [queries])

  const listen = useRef((listener: (event: LiveEvent) => void) => {
    listeners.current.add(listener)
    return () => {
      listeners.current.delete(listener)
    }
  })
  return <LiveContext value={{ state, listen: listen.current }}>{children}</LiveContext>
}

export const useLiveState = () => useContext(LiveContext).state

/** Calls the listener with each event while the component is mounted. */
export function useLiveEvents(listener: (event: LiveEvent) => void): void {
  const { listen } = useContext(LiveContext)
  const latest = useRef(listener)
  latest.current = listener
  useEffect(() => listen((event) => latest.current(event)), [listen])
}
