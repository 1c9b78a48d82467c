import { asArray, isObject, type JsonObject } from '@tallystick/record/json'
import { type LocateText, type ReadEvent, readEventTexts } from '../../texts/endpoint-texts.js'
import { channelOfPath, isPieceName, type Path, readIndex } from '../../texts/event-path.js'
import { chatShape } from './shape.js'

export const readChatEvent: ReadEvent = (data, event, { asJson, request }) => {
  const { choices } = event
  const isReadable =
    choices === undefined ||
    choices === null ||
    (Array.isArray(choices) &&
      hasOwnIndices(choices, chatShape.choicesOf(request)) &&
      choices.every((choice) => hasOwnIndices(callsIn(choice), Number.POSITIVE_INFINITY)))
  if (!isReadable) return null
  const ends = asArray(choices).flatMap((choice, at) =>
    isObject(choice) && isFinishReason(choice.finish_reason)
      ? [`${channelOfPath(['choices', at], event)}/`]
      : [],
  )
  return readEventTexts(data, chatShape.answerTexts(asJson), (path) => locateText(path, event), ends)
}

/** True for a finish reason. Some providers send an empty reason, or the word `null`, in every event. */
export const isFinishReason = (reason: unknown): boolean =>
  typeof reason === 'string' && reason !== '' && reason !== 'null'

const callsIn = (choice: unknown): unknown[] =>
  isObject(choice) && isObject(choice.delta) ? asArray(choice.delta.tool_calls) : []

/**
 * True when each item of a list has a distinct index below a limit. Many clients ignore the index of a choice
 * because they asked for one choice; to them, text with any other index continues the first one. And when two items
 * share an index, no client knows which one to continue.
 */
export function hasOwnIndices(items: readonly unknown[], limit: number): boolean {
  const seen = new Set<number>()
  return items.every((item, at) => {
    const index = readIndex((isObject(item) ? item.index : null) ?? at)
    if (index === null || index >= limit || seen.has(index)) return false
    seen.add(index)
    return true
  })
}

/** Members that describe the whole answer are repeated in every event. Unknown members are treated as pieces. */
const wholeMembers = new Set<unknown>([
  'id',
  'model',
  'object',
  'service_tier',
  'system_fingerprint',
  'error',
])

export const isOfWholeAnswer = ([member]: Path): boolean => wholeMembers.has(member)

function locateText(path: Path, event: JsonObject): ReturnType<LocateText> {
  if (isOfWholeAnswer(path)) return null
  return { channel: channelOfPath(path, event), isPiece: isPiece(path) }
}

/** Lists contain complete items, except lists of tool calls. */
const isPiece = ([member, , part, ...rest]: Path): boolean =>
  member === 'choices' &&
  part === 'delta' &&
  isPieceName(rest.at(-1)) &&
  rest.every((step, at) => typeof step === 'string' || rest[at - 1] === 'tool_calls')
