import { isUtf8 } from 'node:buffer'
import { EventSplitter } from '../../../providers/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import { badAnswer } from '../fault.js'
import { type Message, readMessages } from '../protocol/messages.js'
import type { HttpAnswer } from './send.js'

/** Returns the media type of a body, without parameters. */
export function mediaTypeOf(answer: HttpAnswer): string {
  return (answer.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export async function readAll(answer: HttpAnswer): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of answer.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Where a broken stream can be resumed, if the server stores its events. */
export interface ResumePoint {
  lastEventId: string | null
  retryMs: number | null
}

/** Yields the messages of an answer as they arrive. The answer is JSON or an event stream. Throws an `UpstreamFault`. */
export async function* readAnswer(
  answer: HttpAnswer,
  yieldToEventLoop: YieldToEventLoop,
  resumePoint: ResumePoint,
): AsyncGenerator<Message> {
  const type = mediaTypeOf(answer)
  if (type === 'application/json') yield* await readMessages(await readAll(answer), yieldToEventLoop)
  else if (type === 'text/event-stream') yield* readEvents(answer, yieldToEventLoop, resumePoint)
  else throw badAnswer('The server answered with something that is neither JSON nor an event stream')
}

async function* readEvents(
  answer: HttpAnswer,
  yieldToEventLoop: YieldToEventLoop,
  resumePoint: ResumePoint,
): AsyncGenerator<Message> {
  const splitter = new EventSplitter()
  for await (const chunk of answer.body) {
    for (const { raw, name, data } of split(splitter, chunk)) {
      if (!isUtf8(raw)) throw badAnswer('The server sent a stream that is not UTF-8')
      updateResumePoint(resumePoint, raw.toString())
      if (data !== '' && (name === '' || name === 'message'))
        yield* await readMessages(Buffer.from(data), yieldToEventLoop)
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

function updateResumePoint(resumePoint: ResumePoint, event: string): void {
  // Only the beginning is searched, because long events are answers, after which the stream ends anyway.
  const head = event.slice(0, 2_048)
  resumePoint.lastEventId = idLine.exec(head)?.[1] ?? resumePoint.lastEventId
  const retry = retryLine.exec(head)?.[1]
  if (retry !== undefined) resumePoint.retryMs = Number(retry)
}
