import { type JsonObject, skipSpace } from '@tallystick/record/json'
import type { Path } from './event-path.js'
import { type RevealingValue, type TextLocation, TextWalk, type WalkOptions } from './text-walk.js'

const colon = 0x3a

/** A text in an event of a stream. */
export interface StreamText extends TextLocation {
  /** The name of the text that this one continues, such as the content of the first choice; null for a complete text. */
  channel: string | null
  /** True when it may either continue another text or be complete. */
  mayBeWhole: boolean
}

export interface EventTexts {
  texts: readonly StreamText[]
  revealing: readonly RevealingValue[]
  /** Prefixes of the channels that this event ends. */
  ends: readonly string[]
}

/** Locates the texts of a dialect, for policies that judge and possibly change them. */
export interface EndpointTexts {
  inRequest(json: string): TextWalk
  /** `asJson`: the caller asked for JSON. */
  inAnswer(json: string, asJson: boolean): TextWalk
  asksForJson(body: JsonObject): boolean
  /** False for input that was sent as token numbers instead of text. */
  isReadable(body: JsonObject): boolean
  messageCount(body: JsonObject): number
}

/**
 * True for the index of an item, which distinguishes its pieces from others. Some vendors write indexes as strings.
 */
const isIndex = (name: unknown): boolean => typeof name === 'string' && /^(.*_)?index$/.test(name)

/** Returns a name that is not in use yet: two items of a list that share an index are treated as two texts. */
function withoutCollision(channel: string, taken: Set<string>): string {
  let name = channel
  for (let copy = 2; taken.has(name); copy++) name = `${channel}/~${copy}`
  taken.add(name)
  return name
}

/** What the texts of an event depend on besides the event. */
export interface EventContext {
  /** The caller asked for JSON. */
  asJson: boolean
  request: JsonObject
}

/**
 * Locates the texts in an event of a stream. `event` is parsed from `data`. Null for an event that cannot be read.
 */
export type ReadEvent = (data: string, event: JsonObject, context: EventContext) => EventTexts | null

/** Returns which text the value at a path of an event continues; null for a complete text. */
export type LocateText = (path: Path) => { channel: string; isPiece: boolean } | null

export function readEventTexts(
  data: string,
  options: WalkOptions,
  locateText: LocateText,
  ends: readonly string[],
): EventTexts | null {
  const walk = new TextWalk(data, options, true)
  const texts: StreamText[] = []
  const channels = new Set<string>()
  for (let found = walk.next(); found !== undefined; found = walk.next()) {
    if (found === null) continue
    const { start, end, text, json, isEcho, kind } = found
    const { path } = walk
    const isName = data.charCodeAt(skipSpace(data, end)) === colon
    // Ids and indexes are complete: waiting for more of each would delay every event.
    const isWhole = isEcho || (kind !== 'text' && kind !== 'payload') || isIndex(path.at(-1))
    const continued = isWhole ? null : locateText(path)
    const channel =
      continued && withoutCollision(isName ? `${continued.channel}/~name` : continued.channel, channels)
    const mayBeWhole = continued !== null && (isName || !continued.isPiece)
    texts.push({ start, end, text, json, isEcho, kind, channel, mayBeWhole })
  }
  return { texts, revealing: walk.revealing, ends }
}
