import { asArray, asObject, asText, type JsonObject } from '@tallystick/record/json'
import { type LocateText, type ReadEvent, readEventTexts } from '../../texts/endpoint-texts.js'
import { channelOfPath, escapeKey, isPieceName, type Path, readIndex } from '../../texts/event-path.js'
import { messagesShape } from './shape.js'

export const readMessagesEvent: ReadEvent = (data, event, { asJson }) => {
  if (readIndex(event.index) === null) return null
  const ends = event.type === 'content_block_stop' ? [`${blockOf(event)}/`] : []
  return readEventTexts(data, messagesShape.answerTexts(asJson), (path) => locateText(path, event), ends)
}

const blockOf = ({ index }: JsonObject): string => `block ${readIndex(index)}`

const wholeEvents = new Set<unknown>(['message_stop', 'error'])

/**
 * A block begins with a first piece of its text and continues in deltas; both are one text. The same holds for
 * everything else that continues at the same path of events of one type.
 */
function locateText(path: Path, event: JsonObject): ReturnType<LocateText> {
  const { type } = event
  if (wholeEvents.has(type)) return null
  const [part, ...rest] = path
  if (type === 'message_start') return locateInMessage(path, event)
  const isDelta = type === 'content_block_delta' && part === 'delta'
  const isStart = type === 'content_block_start' && part === 'content_block'
  const channel =
    isDelta || isStart
      ? channelOfPath(rest, asObject(event[part]))
      : `${escapeKey(asText(type))} ${channelOfPath(path, event)}`
  return {
    channel: `${blockOf(event)}/${channel}`,
    isPiece: isDelta && rest.length === 1 && isPieceName(rest[0]),
  }
}

/** Locates a text in the message with which a stream starts: it may already have content. */
function locateInMessage([, content, block, ...rest]: Path, event: JsonObject): ReturnType<LocateText> {
  if (content !== 'content' || typeof block !== 'number') return null
  const start = asObject(asArray(asObject(event.message).content)[block])
  return { channel: `block ${block}/${channelOfPath(rest, start)}`, isPiece: false }
}
