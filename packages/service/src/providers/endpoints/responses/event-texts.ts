import { asArray, asObject, asText, type JsonObject } from '@tallystick/record/json'
import { type LocateText, type ReadEvent, readEventTexts } from '../../texts/endpoint-texts.js'
import { channelOfPath, escapeKey, type Path, readIndex } from '../../texts/event-path.js'
import type { WalkOptions } from '../../texts/text-walk.js'
import { echoes } from './shape.js'

export const readResponsesEvent: ReadEvent = (data, event, { asJson }) => {
  const { output_index, content_index, summary_index } = event
  if ([output_index, content_index, summary_index].some((index) => readIndex(index) === null)) return null
  const type = asText(event.type)
  const options = type.endsWith('_arguments.delta') ? argumentEvents : eventOptions(asJson)
  return readEventTexts(data, options, (path) => locateText(path, event), endedChannels(type, event))
}

function endedChannels(type: string, event: JsonObject): string[] {
  if (type === 'response.output_item.done') return [`${itemOf(event)}/`]
  return type.endsWith('.done') ? [channelOfDelta(type, event)] : []
}

/** Some providers send no indexes; the id of the item is used instead. */
const itemOf = ({ output_index, item_id }: JsonObject): string =>
  output_index === undefined && typeof item_id === 'string'
    ? `item ${escapeKey(item_id)}`
    : `item ${readIndex(output_index)}`

const partOf = ({ content_index, summary_index }: JsonObject): string =>
  summary_index === undefined ? `content/${readIndex(content_index)}` : `summary/${readIndex(summary_index)}`

/** Events with a complete text, which clients use to replace what they received before. */
const wholeEvents =
  /^(error|response\.(completed|incomplete|failed|cancelled)|response\.output_text\.annotation\.added)$|\.done$/

/**
 * Clients assemble the pieces into one response, so the start of an item or part and its deltas are one text.
 * Everything else continues at the same path of events of its type.
 */
function locateText(path: Path, event: JsonObject): ReturnType<LocateText> {
  const type = asText(event.type)
  if (wholeEvents.test(type)) return null
  const [member, ...rest] = path
  // All members of a response except its output are complete in each event.
  if (member === 'response' && rest[0] !== 'output') return null
  if (member === 'delta' && rest.length === 0 && type.endsWith('.delta'))
    return { channel: channelOfDelta(type, event), isPiece: true }
  return { channel: channelOfStart(path, event) ?? `${itemOf(event)}/${restOf(path, event)}`, isPiece: false }
}

const restOf = (path: Path, event: JsonObject): string =>
  `${partOf(event)}/${escapeKey(asText(event.type))} ${channelOfPath(path, event)}`

/** `response.output_text.delta` and `.done` belong to the same text. */
function channelOfDelta(type: string, event: JsonObject): string {
  const base = type.replace(/\.(delta|done)$/, '')
  return isOfItem(base)
    ? `${itemOf(event)}/${escapeKey(base)}`
    : `${itemOf(event)}/${partOf(event)}/${escapeKey(base)}`
}

const isOfItem = (base: string): boolean => /_(arguments|code|input)$/.test(base)

/** Returns the channel that deltas continue, for an item or part that starts with content. */
function channelOfStart([member, ...rest]: Path, event: JsonObject): string | null {
  if (member === 'part') return channelInPart(rest, asObject(event.part), `${itemOf(event)}/${partOf(event)}`)
  if (member === 'item') return channelInItem(rest, asObject(event.item), itemOf(event))
  const [output, number, ...itemPath] = rest
  if (member !== 'response' || output !== 'output' || typeof number !== 'number') return null
  return channelInItem(itemPath, asObject(asArray(asObject(event.response).output)[number]), `item ${number}`)
}

function channelInItem([member, number, ...rest]: Path, item: JsonObject, name: string): string | null {
  if (typeof number === 'number' && (member === 'content' || member === 'summary'))
    return channelInPart(rest, asObject(asArray(item[member])[number]), `${name}/${member}/${number}`)
  const base = `response.${asText(item.type)}_${member}`
  return number === undefined && isOfItem(base) ? `${name}/${escapeKey(base)}` : null
}

const textParts: Readonly<Record<string, string>> = {
  'output_text text': 'response.output_text',
  'reasoning_text text': 'response.reasoning_text',
  'refusal refusal': 'response.refusal',
  'summary_text text': 'response.reasoning_summary_text',
}

function channelInPart(path: Path, part: JsonObject, name: string): string | null {
  const base = path.length === 1 ? textParts[`${asText(part.type)} ${path[0]}`] : undefined
  return base === undefined ? null : `${name}/${base}`
}

const isText = (path: Path): boolean => path.at(-1) === 'text'
const isDelta = (path: Path): boolean => path[0] === 'delta'

const repeated = new Set<unknown>(echoes)

const plainEvents: WalkOptions = {
  isEcho: ([member, name]) => member === 'response' && repeated.has(name),
  emptyLogprobs: '[]',
}
const structuredEvents: WalkOptions = { ...plainEvents, isJson: (path) => isText(path) || isDelta(path) }
const argumentEvents: WalkOptions = { ...plainEvents, isJson: isDelta }
const eventOptions = (asJson: boolean) => (asJson ? structuredEvents : plainEvents)
