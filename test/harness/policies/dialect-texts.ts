import type { ServerResponse } from 'node:http'
import { sendJson } from '../providers/upstream.js'
import {
  chatAnswer,
  chatChunk,
  chatUsageChunk,
  messageAnswer,
  messageEvents,
  responseAnswer,
  responseEvents,
  responseMessage,
  textBlock,
} from '../providers/vendor-answers.js'

// One text through each dialect, whole and streamed: what a provider sends, and what a caller then reads.

export interface DialectTexts {
  path: string
  body(fields?: Record<string, unknown>): Record<string, unknown>
  whole(text: string): object
  /** The bytes of a stream that says the text in these pieces. */
  stream(pieces: readonly string[]): string
  /** What the caller reads from a whole answer, and from a stream to its end. */
  readWhole(answer: unknown): string
  readStream(events: unknown[]): string
}

const named = (events: { type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Loose = any

export const spoken: Record<'chat' | 'responses' | 'messages', DialectTexts> = {
  chat: {
    path: '/v1/chat/completions',
    body: (fields = {}) => ({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: 'Say it.' }],
      ...fields,
    }),
    whole: (content) => chatAnswer({ content }),
    stream: (pieces) =>
      [
        chatChunk({ role: 'assistant', content: '' }),
        ...pieces.map((content) => chatChunk({ content })),
        chatChunk({}, 'stop'),
        chatUsageChunk,
      ]
        .map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
        .join('')
        .concat('data: [DONE]\n\n'),
    readWhole: (answer: Loose) => answer.choices[0].message.content,
    readStream: (events: Loose[]) => events.map((event) => event.choices?.[0]?.delta?.content ?? '').join(''),
  },
  responses: {
    path: '/v1/responses',
    body: (fields = {}) => ({ model: 'gpt-4o-mini', input: 'Say it.', ...fields }),
    whole: (text) => responseAnswer(responseMessage(text)),
    stream: (pieces) => named(responseEvents(...pieces)),
    readWhole: (answer: Loose) => answer.output[0].content[0].text,
    readStream(events: Loose[]) {
      const said = events
        .map((event) => (event.type === 'response.output_text.delta' ? event.delta : ''))
        .join('')
      // It is repeated whole, four times, and must be the same each time.
      for (const event of events) {
        const repeated =
          event.type === 'response.output_text.done'
            ? event.text
            : event.part?.text ||
              event.item?.content?.[0]?.text ||
              event.response?.output?.[0]?.content?.[0]?.text
        if (repeated !== undefined && repeated !== '' && repeated !== said)
          throw new Error(`${event.type} says "${repeated}", the pieces "${said}"`)
      }
      return said
    },
  },
  messages: {
    path: '/v1/messages',
    body: (fields = {}) => ({
      model: 'claude-sonnet-4-6',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Say it.' }],
      ...fields,
    }),
    whole: (text) => messageAnswer([{ type: 'text', text }]),
    stream: (pieces) => named(messageEvents([textBlock(...pieces)])),
    readWhole: (answer: Loose) => answer.content[0].text,
    readStream: (events: Loose[]) => events.map((event) => event.delta?.text ?? '').join(''),
  },
}

export const dialectNames = Object.keys(spoken) as (keyof typeof spoken)[]

/** Answers a call of the dialect with the text, in the shape that was asked for; streams in pieces of some size. */
export function say(
  dialect: keyof typeof spoken,
  text: string,
  { pieceChars = 7, packetBytes = Number.POSITIVE_INFINITY } = {},
) {
  return async ({ body }: { body: Loose }, response: ServerResponse): Promise<void> => {
    if (!body.stream) return sendJson(response, 200, spoken[dialect].whole(text))
    await sendEvents(response, spoken[dialect].stream(cut(text, pieceChars)), packetBytes)
  }
}

export function cut(text: string, pieceChars: number): string[] {
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += pieceChars) pieces.push(text.slice(at, at + pieceChars))
  return pieces
}

/** Sends the text as the body of an event stream, in packets of the given size. */
export async function sendEvents(
  response: ServerResponse,
  text: string,
  packetBytes = Number.POSITIVE_INFINITY,
): Promise<void> {
  const bytes = Buffer.from(text)
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (let at = 0; at < bytes.length; at += packetBytes) {
    await new Promise((resolve) =>
      response.write(bytes.subarray(at, Math.min(bytes.length, at + packetBytes)), resolve),
    )
  }
  response.end()
}

/** The data of every event, parsed where it is JSON. */
export function readEvents(text: string): Loose[] {
  return text
    .split('\n\n')
    .flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? [])
    .map((data) => (data.startsWith('{') ? JSON.parse(data) : data))
}
