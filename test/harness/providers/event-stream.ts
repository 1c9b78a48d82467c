import { once } from 'node:events'
import { type IncomingMessage, request as openRequest } from 'node:http'
import { waitFor } from '../run/wait.js'
import { createEventParser } from './event-parser.js'

/** An event of `GET /v1/events/stream`, with its data read. */
export interface SeenEvent {
  type: string
  id: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
  data: any
}

/** A reader of a stream, on a socket of its own. */
export interface EventReader {
  status: number
  headers: IncomingMessage['headers']
  events: SeenEvent[]
  /** Those of one type. */
  of(type: string): SeenEvent['data'][]
  lastEventId(): string
  comments(): string[]
  retryMs(): number | null
  /** Stops reading, and goes on: the socket is left to fill. */
  pause(): void
  resume(): void
  /** Waits until enough of a type has come. */
  until(type: string, count?: number): Promise<SeenEvent['data'][]>
  /** Resolves when the service has ended the stream, or the connection broke. */
  ended: Promise<void>
  isEnded(): boolean
  /** Hangs up. */
  close(): void
}

export interface ReadOptions {
  query?: Record<string, string>
  lastEventId?: string
  headers?: Record<string, string>
}

/** Rejects with what was answered when that is no stream. */
export async function readEvents(
  address: string,
  key: string | null,
  { query = {}, lastEventId, headers = {} }: ReadOptions = {},
): Promise<EventReader> {
  const url = new URL(`/v1/events/stream?${new URLSearchParams(query)}`, address)
  const request = openRequest(url, {
    agent: false,
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...headers,
      accept: 'text/event-stream',
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
  })
  request.end()
  const [response]: IncomingMessage[] = await once(request, 'response')
  if (!response) throw new Error('no answer')
  const events: SeenEvent[] = []
  const parser = createEventParser(({ type, data, lastEventId: id }) => {
    events.push({ type, id, data: JSON.parse(data) })
  })
  let isEnded = false
  const ended = new Promise<void>((resolve) => {
    response.once('close', () => {
      isEnded = true
      resolve()
    })
  })
  response.on('error', () => undefined)
  request.on('error', () => undefined)
  if (response.statusCode !== 200) {
    let text = ''
    for await (const piece of response.setEncoding('utf8')) text += piece
    throw Object.assign(new Error(text), {
      status: response.statusCode,
      body: JSON.parse(text),
      headers: response.headers,
    })
  }
  response.setEncoding('utf8').on('data', parser.push)
  const of = (type: string) => events.flatMap((event) => (event.type === type ? [event.data] : []))
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    of,
    lastEventId: () => parser.lastEventId,
    comments: () => parser.comments,
    retryMs: () => parser.retryMs,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    until: (type, count = 1) =>
      waitFor(`${count} of ${type}`, () => {
        const found = of(type)
        if (found.length >= count) return found
        if (isEnded) throw new Error(`the stream ended with ${JSON.stringify(events.at(-1))}`)
        return null
      }),
    ended,
    isEnded: () => isEnded,
    close: () => void request.destroy(),
  }
}
