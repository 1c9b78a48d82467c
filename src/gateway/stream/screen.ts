import type { ApiError } from '../../errors.js'
import type { JsonObject } from '../../json/index.js'
import type { StreamJudge, Stretch } from '../../modules/policies/index.js'
import {
  EventShape,
  type EventTexts,
  rewriteEvent,
  type StreamEvent,
  type StreamText,
  splice,
  type Telltale,
} from '../../providers/index.js'
import type { Call } from '../call.js'

/** So many characters of other texts may wait behind one that is not decided: models go on to something else. */
const mostBehindChars = 2_048

interface HeldText {
  place: StreamText
  stretch: Stretch
}

/** An event without what was parsed from it: many may be held, and hardly one is looked at again. */
interface Held {
  /** A copy: with what came from the network, all that was read at the same time would be kept from being used again. */
  raw: Buffer
  name: string
  data: string
  texts: readonly HeldText[]
  telltales: readonly Telltale[]
  isJson: boolean
}

const noTexts: Held['texts'] = []
const noTelltales: Held['telltales'] = []

/**
 * Holds events back until every text in them may be seen, and changes those in which something was taken out or put
 * back. They leave in the order in which they came; all that need not change leave as the bytes they were.
 */
export class StreamScreen {
  readonly #call: Call
  readonly #judge: StreamJudge
  readonly #asJson: boolean
  /** Of the event that was read through last. */
  #shape: EventShape | null = null
  /** Its pieces, and nothing else in it, are what is counted. */
  #isCounted = false
  readonly #held: Held[] = []

  constructor(call: Call, judge: StreamJudge) {
    this.#call = call
    this.#judge = judge
    this.#asJson = call.dialect.texts.asksForJson(call.body)
  }

  /** `said`: the texts that were counted in it. */
  take(event: StreamEvent, said: readonly string[]): void {
    const { data, content } = event
    if (content === null) this.#hold(event, readWhole(data), false)
    else this.#hold(event, this.#shape?.fit(data) ?? this.#readThrough(data, content, said), true)
  }

  /**
   * Takes an event that is as the last one but for pieces of texts, and tells which. Nearly all are: nobody need parse them.
   * Null for any other.
   */
  takeNext(event: StreamEvent): string[] | null {
    const texts = this.#isCounted ? this.#shape?.fit(event.data) : null
    if (!texts) return null
    this.#hold(event, texts, true)
    return texts.texts.map(({ text }) => text)
  }

  #hold({ raw, name, data }: StreamEvent, { texts, telltales, ends }: EventTexts, isJson: boolean): void {
    this.#held.push({
      raw: Buffer.from(raw),
      name,
      data,
      texts: texts.length === 0 ? noTexts : texts.map(this.#append),
      telltales: this.#judge.holds ? telltales : noTelltales,
      isJson,
    })
    for (const beginning of ends) this.#judge.end(beginning)
  }

  readonly #append = (place: StreamText): HeldText => ({
    place,
    stretch: this.#judge.append(place.channel, place),
  })

  #readThrough(data: string, content: JsonObject, said: readonly string[]): EventTexts {
    const { texts } = this.#call.dialect
    const read = texts.inEvent(data, content, this.#asJson)
    const tools = texts.toolsCalledIn(content)
    this.#judge.callTools(tools)
    this.#shape = tools.length === 0 ? EventShape.of(data, read) : null
    this.#isCounted = this.#shape?.isAllOf(said) === true
    return read
  }

  endAll(): void {
    this.#judge.end('')
  }

  /** Whether there is something to judge or to let go by now. */
  isDue(): boolean {
    const [head] = this.#held
    if (head === undefined) return false
    const undecided = this.#undecidedIn(head)
    return undecided === undefined || this.#judge.isDue || this.#keepsOthersWaiting(undecided)
  }

  /** Judges what can be judged by now. The error ends the stream. No promise where nothing has to be waited for. */
  settle(): ApiError | null | Promise<ApiError | null> {
    const judging = this.#judge.isDue ? this.#judge.settle() : undefined
    if (judging === undefined && this.#findStuck() === null) return this.#judge.refusal()
    return this.#forceStuck(judging)
  }

  async #forceStuck(judging: Promise<void> | undefined): Promise<ApiError | null> {
    await judging
    for (let stuck = this.#findStuck(); stuck !== null; stuck = this.#findStuck())
      await this.#judge.force(stuck)
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
      for (const { stretch } of held.texts) this.#judge.release(stretch)
    }
    this.#held.splice(0, count)
    return pieces
  }

  /** The first text that is undecided, when it keeps too much of others waiting. */
  #findStuck(): Stretch | null {
    if (this.#judge.waiting <= mostBehindChars) return null
    const first = this.#held.findIndex((held) => this.#undecidedIn(held) !== undefined)
    const undecided = this.#held[first] && this.#undecidedIn(this.#held[first])
    if (undecided === undefined || !this.#keepsOthersWaiting(undecided)) return null
    // What stands before it does not wait for it.
    let behind = 0
    for (const { texts } of this.#held.slice(first)) {
      for (const { place, stretch } of texts)
        if (stretch.part !== undecided.stretch.part) behind += place.text.length
    }
    return behind > mostBehindChars ? undecided.stretch : null
  }

  #keepsOthersWaiting({ stretch }: HeldText): boolean {
    return this.#judge.waitingBeside(stretch) > mostBehindChars
  }

  #undecidedIn({ texts }: Held): HeldText | undefined {
    for (const text of texts) if (!this.#judge.isCleared(text.stretch)) return text
    return undefined
  }

  /** Null for what must not be seen at all. */
  #rewrite({ raw, name, data, texts, telltales, isJson }: Held): Buffer | null {
    const edits: { start: number; end: number; json: string }[] = []
    for (const { place, stretch } of texts) {
      const text = this.#judge.read(stretch)
      if (text !== null) edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    for (const { start, end, blank } of telltales) {
      if (data.slice(start, end).trim() !== blank) edits.push({ start, end, json: blank })
    }
    if (edits.length === 0) return raw
    // Nothing can be put into what cannot be read.
    if (!isJson) return null
    edits.sort((a, b) => a.start - b.start)
    return Buffer.from(rewriteEvent({ name }, splice(data, edits)))
  }
}

const nothingSaid: EventTexts = { texts: [], telltales: [], ends: [] }

/** What is no JSON is judged as the text it is. */
function readWhole(data: string): EventTexts {
  if (data === '' || data === '[DONE]') return nothingSaid
  const text = { start: 0, end: data.length, text: data, json: false, isEcho: false, channel: null }
  return { texts: [text], telltales: [], ends: [] }
}
