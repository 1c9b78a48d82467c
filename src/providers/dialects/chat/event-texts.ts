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
    (Array.isArray(choices) && hasKnownIndices(choices, chatRequest.choicesOf(request)))
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

/**
 * Many readers ignore the index of a choice, since they asked for one choice: to them, text with any other index continues that of
 * the first.
 */
function hasKnownIndices(choices: readonly unknown[], count: number): boolean {
  return choices.every((choice, at) => {
    const index = readIndex((isObject(choice) ? choice.index : null) ?? at)
    return index !== null && index < count
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

function placeText(path: Path, event: JsonObject): ReturnType<PlaceText> {
  if (wholeMembers.has(path[0])) return null
  return { channel: channelOfPath(path, event), isPiece: isPiece(path) }
}

/** Lists have whole items, as far as is known, but for those of tool calls. */
const isPiece = ([member, , part, ...rest]: Path): boolean =>
  member === 'choices' &&
  part === 'delta' &&
  isPieceName(rest.at(-1)) &&
  rest.every((step, at) => typeof step === 'string' || rest[at - 1] === 'tool_calls')
