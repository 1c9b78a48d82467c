import { isUtf8 } from 'node:buffer'
import { EventSplitter } from '../../../providers/index.js'
import type { WaitForTurn } from '../../../shared/turns.js'
import { badAnswer } from '../fault.js'
import { type Message, readMessages } from '../protocol/messages.js'
import type { HttpAnswer } from './send.js'

/** The type of a body without its parameters. */
export function mediaTypeOf(answer: HttpAnswer): string {
  return (answer.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export async function readAll(answer: HttpAnswer): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Where a stream that broke off can be read on, in servers that keep what they sent. */
export interface StreamPlace {
  lastEventId: string | null
  retryMs: number | null
}

/** The messages of an answer as they come, whether it is one JSON text or a stream of events. Throws an `UpstreamFault`. */
export async function* readAnswer(
  answer: HttpAnswer,
  waitForTurn: WaitForTurn,
  place: StreamPlace,
): AsyncGenerator<Message> {
  const type = mediaTypeOf(answer)
  if (type === 'application/json') yield* await readMessages(await readAll(answer), waitForTurn)
  else if (type === 'text/event-stream') yield* readEvents(answer, waitForTurn, place)
  else throw badAnswer('The server answered with something that is neither JSON nor a stream of events')
}

async function* readEvents(
  answer: HttpAnswer,
  waitForTurn: WaitForTurn,
  place: StreamPlace,
): AsyncGenerator<Message> {
  const splitter = new EventSplitter()
  for await (const chunk of answer.body) {
    for (const { raw, name, data } of split(splitter, chunk)) {
      if (!isUtf8(raw)) throw badAnswer('The server sent a stream that is not UTF-8')
      notePlace(raw.toString(), place)
      if (data !== '' && (name === '' || name === 'message'))
        yield* await readMessages(Buffer.from(data), waitForTurn)
    }
  }
}

function split(splitter: EventSplitter, chunk: Buffer): ReturnType<EventSplitter['push']> {
  try {
    return splitter.push(chunk)
  } catch (error) {
    throw badAnswer('The server sent an event that is too large', error)
  }
}

const idLine = /^id:[ ]?([\x20-\x7e]{1,1024})$/m
const retryLine = /^retry:[ ]?(\d{1,6})$/m

function notePlace(event: string, place: StreamPlace): void {
  // Only short events are looked at: an answer of megabytes ends the stream anyway, and its fields come first.
  const head = event.slice(0, 2_048)
  place.lastEventId = idLine.exec(head)?.[1] ?? place.lastEventId
  const retry = retryLine.exec(head)?.[1]
  if (retry !== undefined) place.retryMs = Number(retry)
}
