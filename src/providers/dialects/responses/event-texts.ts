import { asArray, asObject, asText, type JsonObject } from '../../../json/index.js'
import { type PlaceText, type ReadEvent, readEventTexts } from '../../texts/dialect-texts.js'
import { channelOfPath, escapeKey, type Path, readIndex } from '../../texts/event-path.js'
import type { WalkOptions } from '../../texts/text-walk.js'
import { echoes, isText } from './texts.js'

export const readResponsesEvent: ReadEvent = (data, event, { asJson }) => {
  const { output_index, content_index, summary_index } = event
  if ([output_index, content_index, summary_index].some((index) => readIndex(index) === null)) return null
  const type = asText(event.type)
  const options = type.endsWith('_arguments.delta') ? argumentEvents : eventOptions(asJson)
  return readEventTexts(data, options, (path) => placeText(path, event), endsOf(type, event))
}

function endsOf(type: string, event: JsonObject): string[] {
  if (type === 'response.output_item.done') return [`${itemOf(event)}/`]
  return type.endsWith('.done') ? [placeOfDelta(type, event)] : []
}

/** Some providers have no numbers: then the id of the item has to do. */
const itemOf = ({ output_index, item_id }: JsonObject): string =>
  output_index === undefined && typeof item_id === 'string'
    ? `item ${escapeKey(item_id)}`
    : `item ${readIndex(output_index)}`

const partOf = ({ content_index, summary_index }: JsonObject): string =>
  summary_index === undefined ? `content/${readIndex(content_index)}` : `summary/${readIndex(summary_index)}`

/** Events that say something whole: clients replace what they had by it. */
const wholeEvents =
  /^(error|response\.(completed|incomplete|failed|cancelled)|response\.output_text\.annotation\.added)$|\.done$/

/**
 * A client puts the pieces together to one response. So what an item or a part begins with and what its deltas add to it are one
 * text. Everything else continues at the same place of events of its type.
 */
function placeText(path: Path, event: JsonObject): ReturnType<PlaceText> {
  const type = asText(event.type)
  if (wholeEvents.test(type)) return null
  const [member, ...rest] = path
  // The rest of a response comes whole, each time.
  if (member === 'response' && rest[0] !== 'output') return null
  if (member === 'delta' && rest.length === 0 && type.endsWith('.delta'))
    return { channel: placeOfDelta(type, event), isPiece: true }
  return { channel: startOf(path, event) ?? `${itemOf(event)}/${restOf(path, event)}`, isPiece: false }
}

const restOf = (path: Path, event: JsonObject): string =>
  `${partOf(event)}/${escapeKey(asText(event.type))} ${channelOfPath(path, event)}`

/** `response.output_text.delta` and `.done` are of one text. */
function placeOfDelta(type: string, event: JsonObject): string {
  const base = type.replace(/\.(delta|done)$/, '')
  return isOfItem(base)
    ? `${itemOf(event)}/${escapeKey(base)}`
    : `${itemOf(event)}/${partOf(event)}/${escapeKey(base)}`
}

const isOfItem = (base: string): boolean => /_(arguments|code|input)$/.test(base)

/** What deltas continue, where something begins with more than nothing. */
function startOf([member, ...rest]: Path, event: JsonObject): string | null {
  if (member === 'part') return placeInPart(rest, asObject(event.part), `${itemOf(event)}/${partOf(event)}`)
  if (member === 'item') return placeInItem(rest, asObject(event.item), itemOf(event))
  const [output, number, ...place] = rest
  if (member !== 'response' || output !== 'output' || typeof number !== 'number') return null
  return placeInItem(place, asObject(asArray(asObject(event.response).output)[number]), `item ${number}`)
}

function placeInItem([member, number, ...rest]: Path, item: JsonObject, name: string): string | null {
  if (typeof number === 'number' && (member === 'content' || member === 'summary'))
    return placeInPart(rest, asObject(asArray(item[member])[number]), `${name}/${member}/${number}`)
  const base = `response.${asText(item.type)}_${member}`
  return number === undefined && isOfItem(base) ? `${name}/${escapeKey(base)}` : null
}

const textParts: Readonly<Record<string, string>> = {
  'output_text text': 'response.output_text',
  'reasoning_text text': 'response.reasoning_text',
  'refusal refusal': 'response.refusal',
  'summary_text text': 'response.reasoning_summary_text',
}

function placeInPart(path: Path, part: JsonObject, name: string): string | null {
  const base = path.length === 1 ? textParts[`${asText(part.type)} ${path[0]}`] : undefined
  return base === undefined ? null : `${name}/${base}`
}

const isDelta = (path: Path): boolean => path[0] === 'delta'

const plainEvents: WalkOptions = {
  isEcho: (path) => path[0] === 'response' && echoes.has(path[1]),
  noProbabilities: '[]',
}
const structuredEvents: WalkOptions = { ...plainEvents, isJson: (path) => isText(path) || isDelta(path) }
const argumentEvents: WalkOptions = { ...plainEvents, isJson: isDelta }
const eventOptions = (asJson: boolean) => (asJson ? structuredEvents : plainEvents)
