import { type JsonObject, skipSpace } from '../../json/index.js'
import type { Path } from './event-path.js'
import { type RevealingValue, type TextPlace, TextWalk, type WalkOptions } from './text-walk.js'

const colon = 0x3a

/** A text in an event of a stream. */
export interface StreamText extends TextPlace {
  /** What it continues, such as the content of the first choice; null for a text that is whole. */
  channel: string | null
  /** It is not known whether it continues something: it may also be whole. */
  mayBeWhole: boolean
}

export interface EventTexts {
  texts: readonly StreamText[]
  revealing: readonly RevealingValue[]
  /** Beginnings of the names of channels that this event ends. */
  ends: readonly string[]
}

/** Where a dialect puts its texts: for policies, which judge them and may have to change them. */
export interface DialectTexts {
  inRequest(json: string): TextWalk
  /** `asJson`: the caller asked for an answer that is JSON. */
  inAnswer(json: string, asJson: boolean): TextWalk
  asksForJson(body: JsonObject): boolean
  /** False for input that came as token numbers instead of text. */
  isReadable(body: JsonObject): boolean
  messageCount(body: JsonObject): number
}

/** Some vendors write the numbers of items as strings. They are what pieces are told apart by. */
const isIndex = (name: unknown): boolean => typeof name === 'string' && /^(.*_)?index$/.test(name)

/** Two items of a list may have the same number. Where it is not known what that means, they are two texts. */
function withoutCollision(channel: string, taken: Set<string>): string {
  let name = channel
  for (let copy = 2; taken.has(name); copy++) name = `${channel}/~${copy}`
  taken.add(name)
  return name
}

/** What the texts of an event depend on beside it. */
export interface EventContext {
  /** The caller asked for an answer that is JSON. */
  asJson: boolean
  request: JsonObject
}

/** Where it puts them in the events of a stream. `event` is what was parsed from `data`. Null for one that cannot be read. */
export type ReadEvent = (data: string, event: JsonObject, context: EventContext) => EventTexts | null

/** What the text at a place of an event continues; null for one that is whole. */
export type PlaceText = (path: Path) => { channel: string; isPiece: boolean } | null

export function readEventTexts(
  data: string,
  options: WalkOptions,
  placeText: PlaceText,
  ends: readonly string[],
): EventTexts | null {
  const walk = new TextWalk(data, options, true)
  const texts: StreamText[] = []
  const channels = new Set<string>()
  for (let place = walk.next(); place !== undefined; place = walk.next()) {
    if (place === null) continue
    const { start, end, text, json, isEcho, sort } = place
    const { path } = walk
    const isName = data.charCodeAt(skipSpace(data, end)) === colon
    // Ids and numbers come whole: to wait for more of each would hold back every event.
    const isWhole = isEcho || (sort !== 'text' && sort !== 'payload') || isIndex(path.at(-1))
    const placed = isWhole ? null : placeText(path)
    const channel = placed && withoutCollision(isName ? `${placed.channel}/~name` : placed.channel, channels)
    const mayBeWhole = placed !== null && (isName || !placed.isPiece)
    texts.push({ start, end, text, json, isEcho, sort, channel, mayBeWhole })
  }
  return { texts, revealing: walk.revealing, ends }
}
