import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { baseUrl, showMarks } from '../api'

/** An event of the service. */
export interface LiveEvent {
  type: 'call' | 'alert' | 'budget' | 'provider'
  data: Record<string, unknown>
}

export type LiveState = 'live' | 'waiting' | 'polling' | 'resting'

interface Live {
  state: LiveState
  /** Subscribes to events; returns a function that unsubscribes. */
  listen(listener: (event: LiveEvent) => void): () => void
}

const LiveContext = createContext<Live>({ state: 'polling', listen: () => () => undefined })

/** The paths to refetch after an event. */
const touched: Record<LiveEvent['type'], readonly string[]> = {
  call: [
    '/v1/calls',
    '/v1/calls/density',
    '/v1/usage',
    '/v1/usage/latency',
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

const gatherMs = 3_000
const pollMs = 15_000
const restAfterMs = 60_000

/**
 * Subscribes to the event stream and refetches the lists that an event affects. If no stream can be opened, the lists are
 * polled instead. A hidden tab pauses.
 */
export function LiveUpdates({ children }: { children: ReactNode }) {
  const queries = useQueryClient()
  const [state, setState] = useState<LiveState>('waiting')
  const listeners = useRef(new Set<(event: LiveEvent) => void>())

  useEffect(() => {
    let source: EventSource | null = null
    let polling: ReturnType<typeof setInterval> | undefined
    let resting: ReturnType<typeof setTimeout> | undefined
    let gathering: ReturnType<typeof setTimeout> | undefined
    const pending = new Set<string>()

    const askAgain = (paths: Iterable<string>) => {
      for (const path of paths) pending.add(path)
      gathering ??= setTimeout(() => {
        gathering = undefined
        const due = new Set(pending)
        pending.clear()
        void queries.invalidateQueries({ predicate: ({ queryKey }) => due.has(String(queryKey[0])) })
      }, gatherMs)
    }
    const poll = () => {
      setState('polling')
      polling ??= setInterval(() => !document.hidden && askAgain(Object.values(touched).flat()), pollMs)
    }
    const stopPolling = () => {
      clearInterval(polling)
      polling = undefined
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
          const event: LiveEvent = { type, data: JSON.parse(showMarks(message.data)) }
          for (const listener of listeners.current) listener(event)
          askAgain(touched[type])
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
      clearTimeout(resting)
      if (!document.hidden) return open()
      resting = setTimeout(() => {
        close()
        stopPolling()
        setState('resting')
      }, restAfterMs)
    }
    open()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      clearTimeout(resting)
      clearTimeout(gathering)
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
