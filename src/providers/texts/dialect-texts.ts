import type { JsonObject } from '../../json/index.js'
import { type RevealingValue, type TextPlace, TextWalk, type WalkOptions } from './text-walk.js'

/** A text in an event of a stream. */
export interface StreamText extends TextPlace {
  /** What it continues, such as the content of the first choice; null for a text that is whole. */
  channel: string | null
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

/** Where it puts them in the events of a stream. `event` is what was parsed from `data`. */
export type ReadEvent = (data: string, event: JsonObject, asJson: boolean) => EventTexts

type Path = TextWalk['path']

export function readEventTexts(
  data: string,
  options: WalkOptions,
  channelOf: (path: Path) => string | null,
  ends: readonly string[],
): EventTexts {
  const walk = new TextWalk(data, options)
  const texts: StreamText[] = []
  for (let place = walk.next(); place !== undefined; place = walk.next()) {
    if (place === null) continue
    const { start, end, text, json, isEcho } = place
    texts.push({ start, end, text, json, isEcho, channel: channelOf(walk.path) })
  }
  return { texts, revealing: walk.revealing, ends }
}
