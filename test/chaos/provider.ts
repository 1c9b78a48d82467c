import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type SeenRequest, sendJson, startEvents, startUpstream } from '../harness/providers/upstream.js'
import { random } from '../harness/run/seed.js'
import { answerChat } from '../harness/service/traffic.js'

type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>

/** A provider that remembers which calls reached it, by what their callers wrote. */
export async function startProvider() {
  /** How often each call was seen. */
  const seen = new Map<string, number>()
  let answer: Answer = answerSoon
  let delayMs = 0
  /** Answers that are under way. */
  const responses = new Set<ServerResponse>()
  const upstream = await startUpstream(async (request, response) => {
    responses.add(response)
    response.on('close', () => responses.delete(response))
    const text = String(request.body?.messages?.[0]?.content ?? '')
    seen.set(text, (seen.get(text) ?? 0) + 1)
    upstream.seen.length = 0
    if (delayMs > 0) await pause(delayMs)
    return answer(request, response)
  })
  return {
    url: upstream.url,
    seen,
    /** How much longer answers take from now on. */
    delay(ms: number) {
      delayMs = ms
    },
    behave(next: Answer | null) {
      answer = next ?? answerSoon
      // What was badly begun is not gone on with.
      if (next === null) for (const response of responses) response.destroy()
    },
    close: upstream.close,
  }
}

async function answerSoon(request: SeenRequest, response: ServerResponse): Promise<void> {
  await pause(random() * 40)
  answerChat(request, response)
}

const chunk = (content: string) => ({
  ...{ id: 'c', object: 'chat.completion.chunk', model: 'gpt-4o-mini' },
  choices: [{ index: 0, delta: { content }, finish_reason: null }],
})

/** All the ways in which a provider may be bad. */
export const badAnswers: Readonly<Record<string, Answer>> = {
  'answers 500': (_request, response) => sendJson(response, 500, { error: { message: 'not today' } }),
  'answers 429': (_request, response) => sendJson(response, 429, { error: { message: 'too many' } }),
  'does not answer': () => undefined,
  'stops in the middle of its answer': (_request, response) => {
    startEvents(response)(chunk('Coun'))
  },
  'hangs up in the middle of its answer': async (_request, response) => {
    startEvents(response)(chunk('Coun'))
    await pause(20)
    response.destroy()
  },
  'resets connections': (_request, response) => {
    response.socket?.resetAndDestroy()
  },
  'answers with a page of another server': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>gateway of somebody else</html>')
  },
  'never ends its stream': async (_request, response) => {
    const send = startEvents(response)
    const text = 'word '.repeat(2_000)
    while (!response.destroyed) {
      send(chunk(text))
      if (response.writableNeedDrain)
        await new Promise((resolve) => response.once('drain', resolve).once('close', resolve))
      else await pause(1)
    }
  },
}
