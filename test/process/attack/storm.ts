import { setTimeout as pause } from 'node:timers/promises'
import { Agent, fetch } from 'undici'
import { random } from '../../harness/run/seed.js'

/** One call that a caller of the storm made. */
export interface MadeCall {
  /** Stands in the body, so that the provider's view and the caller's can be held together. */
  marker: string
  raw: string
  /** Null when the caller never got as far as an answer. */
  status: number | null
  requestId: string | null
  /** What it was told, when it was refused. */
  refusal: string
  /** When the call was refused: the earliest and the latest moment at which that can have been decided. */
  fromMs: number
  toMs: number
}

export interface Storm {
  made: MadeCall[]
  stop(): Promise<void>
}

export interface StormOptions {
  callers: number
  key: string
  model: string
  address(): string
}

/** Callers that call without pause, ask for anything, and hang up when they please. */
export function startStorm({ callers, key, model, address }: StormOptions): Storm {
  const stopping = new AbortController()
  const made: MadeCall[] = []
  // Each call has a connection of its own: what a killed replica takes down is the call and nothing else.
  const dispatcher = new Agent({ pipelining: 0, connections: null })

  async function call(caller: number, turn: number): Promise<void> {
    const marker = `m${caller}-${turn}-`
    const stream = random() < 0.5
    const raw = JSON.stringify({
      model,
      stream,
      max_completion_tokens: 1 + Math.floor(random() * 1000),
      messages: [{ role: 'user', content: `Count ${marker}` }],
    })
    const one: MadeCall = {
      marker,
      raw,
      status: null,
      requestId: null,
      refusal: '',
      fromMs: Date.now(),
      toMs: 0,
    }
    made.push(one)
    const hangUp = new AbortController()
    const patience = random() < 0.2 ? setTimeout(() => hangUp.abort(), random() * 400) : undefined
    try {
      const response = await fetch(`${address()}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: raw,
        signal: hangUp.signal,
        dispatcher,
      })
      one.status = response.status
      one.requestId = response.headers.get('x-tallystick-request-id')
      one.toMs = Date.now()
      const text = await response.text()
      if (response.status === 429) one.refusal = text
    } catch {
      // A replica was killed, or this caller hung up.
    } finally {
      clearTimeout(patience)
      one.toMs ||= Date.now()
    }
  }

  const running = Array.from({ length: callers }, async (_, caller) => {
    for (let turn = 0; !stopping.signal.aborted; turn++) {
      await call(caller, turn)
      const last = made.at(-1)
      // A refused caller waits a little, as real ones do; the machine has other things to do than to say no.
      await pause(last?.status === 200 ? 5 : 100 + random() * 200)
    }
  })
  return {
    made,
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await dispatcher.close()
    },
  }
}
