import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type SeenRequest, sendJson, startEvents } from '../../harness/providers/upstream.js'
import { random } from '../../harness/run/seed.js'

/** A provider that takes its time, uses any part of what it was allowed, fails and hangs up, but never reports too much. */
export async function answerAtRandom({ body }: SeenRequest, response: ServerResponse): Promise<void> {
  const allowed = body.max_completion_tokens ?? body.max_tokens
  const used = Math.floor(random() * (allowed + 1))
  // The gateway counts the text with the same tokenizer and adds the framing; a provider may count less.
  const usage = { prompt_tokens: 5, completion_tokens: used, total_tokens: 5 + used }
  await pause(20 + random() * 300)
  const luck = random()
  if (luck < 0.03) return void response.destroy()
  if (luck < 0.06) return sendJson(response, 500, { error: { message: 'not today' } })
  if (body.stream) return await stream(response, usage, luck < 0.12)
  const message = { role: 'assistant', content: 'Counted.' }
  const choices = [{ index: 0, finish_reason: 'stop', message }]
  sendJson(response, 200, { id: 'c', object: 'chat.completion', model: 'attack', usage, choices })
}

async function stream(response: ServerResponse, usage: object, breaksOff: boolean): Promise<void> {
  const send = startEvents(response)
  const chunk = (delta: object, finish_reason: string | null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'attack',
    choices: [{ index: 0, delta, finish_reason }],
  })
  for (let i = 0; i < 5; i++) {
    send(chunk({ content: 'word ' }, null))
    await pause(random() * 60)
  }
  if (breaksOff) return void response.destroy()
  send(chunk({}, 'stop'))
  send({ id: 'c', object: 'chat.completion.chunk', model: 'attack', choices: [], usage })
  send('[DONE]')
  response.end()
}
