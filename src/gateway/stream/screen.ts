import type { ApiError } from '../../errors.js'
import { type JsonObject, splice } from '../../json/index.js'
import type { StreamJudge, TextSpan } from '../../modules/policies/index.js'
import {
  EventShape,
  type EventTexts,
  type RevealingValue,
  rewriteEvent,
  type StreamEvent,
  type StreamText,
} from '../../providers/index.js'
import type { Call } from '../call.js'

/** How many characters of other texts may wait for one that is not decided: models continue with something else. */
const maxBlockedChars = 2_048

interface HeldText {
  place: StreamText
  span: TextSpan
}

/** An event without what was parsed from it: many may be held, and few are read again. */
interface Held {
  /** A copy. A slice of the network's buffer would keep all of that buffer in memory. */
  raw: Buffer
  name: string
  data: string
  texts: readonly HeldText[]
  revealing: readonly RevealingValue[]
  isJson: boolean
}

const noTexts: Held['texts'] = []
const noRevealing: Held['revealing'] = []

/**
 * Holds events back until every text in them may be seen, and rewrites those in which something was redacted or
 * restored. Events leave in the order in which they came, as the same bytes unless they had to change.
 */
export class StreamScreen {
  readonly #call: Call
  readonly #judge: StreamJudge
  readonly #asJson: boolean
  /** Of the event that was parsed last. */
  #shape: EventShape | null = null
  /** The pieces in it are exactly what the stream reader counts. */
  #isCounted = false
  readonly #held: Held[] = []

  constructor(call: Call, judge: StreamJudge) {
    this.#call = call
    this.#judge = judge
    this.#asJson = call.dialect.texts.asksForJson(call.body)
  }

  /** `counted`: the texts that the stream reader counted in it. */
  add(event: StreamEvent, counted: readonly string[]): void {
    const { data, content } = event
    if (content === null) this.#hold(event, readWhole(data), false)
    else this.#hold(event, this.#shape?.fit(data) ?? this.#readTexts(data, content, counted), true)
  }

  /**
   * Adds an event that differs from the last one only in pieces of text, and returns those. Nearly all events do, and need
   * not be parsed. Null for any other.
   */
  addContinuation(event: StreamEvent): string[] | null {
    const texts = this.#isCounted ? this.#shape?.fit(event.data) : null
    if (!texts) return null
    this.#hold(event, texts, true)
    return texts.texts.map(({ text }) => text)
  }

  #hold({ raw, name, data }: StreamEvent, { texts, revealing, ends }: EventTexts, isJson: boolean): void {
    this.#held.push({
      raw: Buffer.from(raw),
      name,
      data,
      texts: texts.length === 0 ? noTexts : texts.map(this.#append),
      revealing: this.#judge.holdsBack ? revealing : noRevealing,
      isJson,
    })
    for (const beginning of ends) this.#judge.end(beginning)
  }

  readonly #append = (place: StreamText): HeldText => ({
    place,
    span: this.#judge.append(place.channel, place),
  })

  #readTexts(data: string, content: JsonObject, counted: readonly string[]): EventTexts {
    const { readEvent, toolNames } = this.#call.dialect
    const read = readEvent(data, content, this.#asJson)
    const tools = toolNames.calledIn(content)
    this.#judge.judgeTools(tools)
    this.#shape = tools.length === 0 ? EventShape.of(data, read) : null
    this.#isCounted = this.#shape?.isAllOf(counted) === true
    return read
  }

  endAll(): void {
    this.#judge.end('')
  }

  /** Whether there is something to judge or to release by now. */
  isDue(): boolean {
    const [head] = this.#held
    if (head === undefined) return false
    const undecided = this.#undecidedIn(head)
    return undecided === undefined || this.#judge.isDue || this.#blocksOthers(undecided)
  }

  /** Judges what can be judged by now. The error ends the stream. Synchronous unless a policy has to wait. */
  settle(): ApiError | null | Promise<ApiError | null> {
    const judging = this.#judge.isDue ? this.#judge.judge() : undefined
    if (judging === undefined && this.#findStuck() === null) return this.#judge.refusal()
    return this.#forceStuck(judging)
  }

  async #forceStuck(judging: Promise<void> | undefined): Promise<ApiError | null> {
    await judging
    for (let stuck = this.#findStuck(); stuck !== null; stuck = this.#findStuck())
      await this.#judge.judgeAsIfEnded(stuck)
    return this.#judge.refusal()
  }

  /** The events that may be seen by now. */
  release(): Buffer[] {
    const pieces: Buffer[] = []
    let count = 0
    for (const held of this.#held) {
      if (this.#undecidedIn(held) !== undefined) break
      count++
      const bytes = this.#rewrite(held)
      if (bytes !== null) pieces.push(bytes)
      for (const { span } of held.texts) this.#judge.release(span)
    }
    this.#held.splice(0, count)
    return pieces
  }

  /** The first undecided text, if too much of other texts waits for it. */
  #findStuck(): TextSpan | null {
    if (this.#judge.unreleasedChars <= maxBlockedChars) return null
    const first = this.#held.findIndex((held) => this.#undecidedIn(held) !== undefined)
    const undecided = this.#held[first] && this.#undecidedIn(this.#held[first])
    if (undecided === undefined || !this.#blocksOthers(undecided)) return null
    // What comes before it does not wait for it.
    let blocked = 0
    for (const { texts } of this.#held.slice(first)) {
      for (const { place, span } of texts) if (span.part !== undecided.span.part) blocked += place.text.length
    }
    return blocked > maxBlockedChars ? undecided.span : null
  }

  #blocksOthers({ span }: HeldText): boolean {
    return this.#judge.unreleasedCharsBeside(span) > maxBlockedChars
  }

  #undecidedIn({ texts }: Held): HeldText | undefined {
    for (const text of texts) if (!this.#judge.isCleared(text.span)) return text
    return undefined
  }

  /** Null for an event that must not be seen at all. */
  #rewrite({ raw, name, data, texts, revealing, isJson }: Held): Buffer | null {
    const edits: { start: number; end: number; json: string }[] = []
    for (const { place, span } of texts) {
      const text = this.#judge.read(span)
      if (text !== null) edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    for (const { start, end, blank } of revealing) {
      if (data.slice(start, end).trim() !== blank) edits.push({ start, end, json: blank })
    }
    if (edits.length === 0) return raw
    // What cannot be parsed cannot be rewritten.
    if (!isJson) return null
    edits.sort((a, b) => a.start - b.start)
    return Buffer.from(rewriteEvent({ name }, splice(data, edits)))
  }
}

const withoutTexts: EventTexts = { texts: [], revealing: [], ends: [] }

/** What is not JSON is judged as plain text. */
function readWhole(data: string): EventTexts {
  if (data === '' || data === '[DONE]') return withoutTexts
  const text = { start: 0, end: data.length, text: data, json: false, isEcho: false, channel: null }
  return { texts: [text], revealing: [], ends: [] }
}
