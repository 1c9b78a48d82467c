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
  /** Answers that are under way. */
  const responses = new Set<ServerResponse>()
  const upstream = await startUpstream((request, response) => {
    responses.add(response)
    response.on('close', () => responses.delete(response))
    const text = String(request.body?.messages?.[0]?.content ?? '')
    seen.set(text, (seen.get(text) ?? 0) + 1)
    upstream.seen.length = 0
    return answer(request, response)
  })
  return {
    url: upstream.url,
    seen,
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
  'hangs before its answer': () => undefined,
  'hangs in the middle': (_request, response) => {
    startEvents(response)(chunk('Coun'))
  },
  'breaks off': async (_request, response) => {
    startEvents(response)(chunk('Coun'))
    await pause(20)
    response.destroy()
  },
  'resets connections': (_request, response) => {
    response.socket?.resetAndDestroy()
  },
  'answers with something else': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>gateway of somebody else</html>')
  },
  'answers a byte at a time': async (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    for (const byte of '{"id":"x","choices":[') {
      if (response.destroyed) return
      response.write(byte)
      await pause(100)
    }
    response.destroy()
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
