import { useCallback, useEffect, useRef, useState } from 'react'
import type { DialectName, PlaygroundRequest } from './dialects'
import { type SentCall, send } from './send'

export interface Run {
  state: 'sending' | 'receiving' | 'done' | 'cancelled' | 'failed'
  text: string
  requestId: string | null
  sent: SentCall | null
  error: unknown
}

const initialRun: Run = { state: 'sending', text: '', requestId: null, sent: null, error: null }

/** Runs one call at a time. A new call, Escape and leaving the page cancel it. */
export function useRun() {
  const [run, setRun] = useState<Run | null>(null)
  const controller = useRef<AbortController | null>(null)
  const cancel = useCallback(() => controller.current?.abort(), [])
  useEffect(() => cancel, [cancel])
  const start = async (request: PlaygroundRequest, dialect: DialectName, key: string) => {
    cancel()
    const runController = new AbortController()
    controller.current = runController
    const update = (change: Partial<Run>) => {
      if (controller.current === runController) setRun((before) => ({ ...(before ?? initialRun), ...change }))
    }
    setRun(initialRun)
    try {
      const sent = await send(request, dialect, {
        key,
        signal: runController.signal,
        onStart: (requestId) => update({ requestId }),
        onText: (text) => update({ text, state: 'receiving' }),
      })
      update({ state: 'done', sent })
    } catch (error) {
      update(runController.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error })
    }
  }
  return { run, start, cancel, clear: () => setRun(null) }
}
