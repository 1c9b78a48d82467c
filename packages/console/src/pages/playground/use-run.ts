import { useCallback, useEffect, useRef, useState } from 'react'
import type { DialectName, PlaygroundRequest } from './dialects'
import { type Sent, send } from './send'

export interface Run {
  state: 'asking' | 'answering' | 'done' | 'cancelled' | 'failed'
  text: string
  requestId: string | null
  sent: Sent | null
  error: unknown
}

const begun: Run = { state: 'asking', text: '', requestId: null, sent: null, error: null }

/** Runs one call at a time. A new call, Escape and leaving the page cancel it. */
export function useRun() {
  const [run, setRun] = useState<Run | null>(null)
  const controller = useRef<AbortController | null>(null)
  const cancel = useCallback(() => controller.current?.abort(), [])
  useEffect(() => cancel, [cancel])
  const start = async (request: PlaygroundRequest, dialect: DialectName, key: string) => {
    cancel()
    const own = new AbortController()
    controller.current = own
    const update = (change: Partial<Run>) => {
      if (controller.current === own) setRun((before) => ({ ...(before ?? begun), ...change }))
    }
    setRun(begun)
    try {
      const sent = await send(request, dialect, {
        key,
        signal: own.signal,
        onStart: (requestId) => update({ requestId }),
        onText: (text) => update({ text, state: 'answering' }),
      })
      update({ state: 'done', sent })
    } catch (error) {
      update(own.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
    }
  }
  return { run, start, cancel, clear: () => setRun(null) }
}
