import { asArray, isObject, type JsonObject } from '../../../json/index.js'
import { type PlaceText, type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import { channelOfPath, isPieceName, type Path, readIndex } from '../../texts/event-path.js'
import { chatRequest } from './request.js'
import { answerOptions } from './texts.js'

export const readChatEvent: ReadEvent = (data, event, { asJson, request }) => {
  const { choices } = event
  const isReadable =
    choices === undefined ||
    choices === null ||
    (Array.isArray(choices) &&
      hasOwnIndices(choices, chatRequest.choicesOf(request)) &&
      choices.every((choice) => hasOwnIndices(callsIn(choice), Number.POSITIVE_INFINITY)))
  if (!isReadable) return null
  const ends = asArray(choices).flatMap((choice, at) =>
    isObject(choice) && isFinishReason(choice.finish_reason)
      ? [`${channelOfPath(['choices', at], event)}/`]
      : [],
  )
  return readEventTexts(data, answerOptions(asJson), (path) => placeText(path, event), ends)
}

/** Some providers have an empty reason in every event, or the word `null`. */
export const isFinishReason = (reason: unknown): boolean =>
  typeof reason === 'string' && reason !== '' && reason !== 'null'

const callsIn = (choice: unknown): unknown[] =>
  isObject(choice) && isObject(choice.delta) ? asArray(choice.delta.tool_calls) : []

/**
 * Whether each item of a list has a number of its own, below a limit. Many readers ignore the number of a choice, since they
 * asked for one choice: to them, text with any other number continues that of the first. And of two items with one number, no
 * reader knows which to continue.
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

/** What is said of the whole answer comes whole, in every event. What is unknown is taken for a piece. */
const wholeMembers = new Set<unknown>([
  'id',
  'model',
  'object',
  'service_tier',
  'system_fingerprint',
  'error',
])

export const isOfWholeAnswer = ([member]: Path): boolean => wholeMembers.has(member)

function placeText(path: Path, event: JsonObject): ReturnType<PlaceText> {
  if (isOfWholeAnswer(path)) return null
  return { channel: channelOfPath(path, event), isPiece: isPiece(path) }
}

/** Lists have whole items, as far as is known, but for those of tool calls. */
const isPiece = ([member, , part, ...rest]: Path): boolean =>
  member === 'choices' &&
  part === 'delta' &&
  isPieceName(rest.at(-1)) &&
  rest.every((step, at) => typeof step === 'string' || rest[at - 1] === 'tool_calls')
