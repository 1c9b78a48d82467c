import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type SeenRequest, sendJson, startEvents } from '../providers/upstream.js'
import { random } from '../run/seed.js'
import { waitFor } from '../run/wait.js'

/** Callers that make plain and streamed calls one after another, and record which answers they received completely. */
export interface Traffic {
  /** Request ids of complete answers. */
  complete: string[]
  /** Waits for a random number of answers, and then for a random time. */
  someMoment(): Promise<void>
  /** Stops the callers. Resolves once none of their calls is in progress. */
  stop(): Promise<void>
}

const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }

const base = { id: 'chatcmpl-1', created: 1, model: 'gpt-4o-mini-2024-07-18' }

/** A provider that answers immediately, streamed or not as requested. */
export function answerChat({ body }: SeenRequest, response: ServerResponse): void {
  if (body.stream) streamChat(response)
  else {
    const message = { role: 'assistant', content: 'Counted.' }
    const choices = [{ index: 0, finish_reason: 'stop', message }]
    sendJson(response, 200, { ...base, object: 'chat.completion', usage, choices })
  }
}

function streamChat(response: ServerResponse): void {
  const send = startEvents(response)
  const chunk = (delta: object, finish_reason: string | null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  })
  send(chunk({ role: 'assistant', content: 'Coun' }, null))
  send(chunk({ content: 'ted.' }, null))
  send(chunk({}, 'stop'))
  send({ ...base, object: 'chat.completion.chunk', choices: [], usage })
  send('[DONE]')
  response.end()
}

export const chatCall = (stream: boolean) => ({
  model: 'gpt-4o-mini',
  stream,
  messages: [{ role: 'user', content: 'Count this.' }],
})

export function startTraffic(address: string, key: string, callers: number): Traffic {
  const stopping = new AbortController()
  const complete: string[] = []
  const running = Array.from({ length: callers }, async (_, caller) => {
    for (let call = caller; !stopping.signal.aborted; call++) {
      const id = await completeCall(address, key, call % 2 === 0, stopping.signal).catch(() => null)
      if (id !== null) complete.push(id)
      else await pause(5)
    }
  })
  return {
    complete,
    async someMoment() {
      const enough = 5 + random() * 45
      await waitFor('answers', () => complete.length >= enough)
      await pause(random() * 25)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

/** Returns the request id if the caller received a complete answer. */
async function completeCall(
  address: string,
  key: string,
  stream: boolean,
  signal: AbortSignal,
): Promise<string | null> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(chatCall(stream)),
    signal,
  })
  const id = response.headers.get('x-tallystick-request-id')
  if (response.status !== 200 || id === null) return null
  if (!stream) {
    await response.json()
    return id
  }
  // The stream is read piece by piece: with the closing event the answer is complete, however the connection ends.
  let text = ''
  try {
    for await (const piece of response.body ?? []) text += Buffer.from(piece).toString()
  } catch {
    // Whether the answer is complete depends on what was received.
  }
  return text.includes('data: [DONE]') ? id : null
}
