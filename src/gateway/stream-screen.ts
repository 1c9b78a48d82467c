import type { ApiError } from '../errors.js'
import type { StreamJudge, Stretch } from '../modules/policies/index.js'
import {
  EventShape,
  type EventTexts,
  type JsonObject,
  rewriteEvent,
  type StreamEvent,
  type StreamText,
  splice,
} from '../providers/index.js'
import type { Call } from './call.js'

/** So many characters of other texts may wait behind one that is not decided: models go on to something else. */
const mostBehindChars = 2_048

interface HeldText {
  place: StreamText
  stretch: Stretch
}

/** Without what was parsed from it: many may be held, and hardly one is looked at again. */
interface Held {
  event: Pick<StreamEvent, 'raw' | 'name' | 'data'>
  texts: HeldText[]
  telltales: { start: number; end: number; blank: string }[]
  isJson: boolean
}

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
  readonly #held: Held[] = []
  /** How many characters are held, of all texts and of each. */
  #heldChars = 0
  readonly #heldCharsOf = new Map<string | null, number>()

  constructor(call: Call, judge: StreamJudge) {
    this.#call = call
    this.#judge = judge
    this.#asJson = call.dialect.texts.asksForJson(call.body)
  }

  take(taken: StreamEvent): void {
    const { raw, name, data, content } = taken
    const event = { raw, name, data }
    if (content === null) {
      this.#takeUnreadable(event)
      return
    }
    const { texts, telltales, ends } = this.#shape?.fit(data) ?? this.#readThrough(data, content)
    this.#hold({
      event,
      texts: texts.map((place) => ({ place, stretch: this.#judge.append(place.channel, place) })),
      telltales: this.#judge.holds ? telltales : [],
      isJson: true,
    })
    for (const beginning of ends) this.#judge.end(beginning)
  }

  #readThrough(data: string, content: JsonObject): EventTexts {
    const { texts } = this.#call.dialect
    const read = texts.inEvent(data, content, this.#asJson)
    const tools = texts.toolsCalledIn(content)
    this.#judge.callTools(tools)
    this.#shape = tools.length === 0 ? EventShape.of(data, read) : null
    return read
  }

  /** What is no JSON is judged as the text it is. */
  #takeUnreadable(event: Held['event']): void {
    const { data: text } = event
    const texts: Held['texts'] = []
    if (text !== '' && text !== '[DONE]') {
      const place = { start: 0, end: text.length, text, json: false, isEcho: false, channel: null }
      texts.push({ place, stretch: this.#judge.append(null, place) })
    }
    this.#hold({ event, texts, telltales: [], isJson: false })
  }

  #hold(held: Held): void {
    this.#held.push(held)
    for (const { place } of held.texts) this.#countHeld(place, place.text.length)
  }

  #countHeld({ channel }: StreamText, chars: number): void {
    this.#heldChars += chars
    this.#heldCharsOf.set(channel, (this.#heldCharsOf.get(channel) ?? 0) + chars)
  }

  endAll(): void {
    this.#judge.end('')
  }

  /** Whether there is something to judge or to let go by now. */
  isDue(): boolean {
    const [head] = this.#held
    if (head === undefined) return false
    const undecided = head.texts.find((text) => !this.#isCleared(text))
    if (undecided === undefined || this.#judge.isDue) return true
    return this.#heldChars - (this.#heldCharsOf.get(undecided.place.channel) ?? 0) > mostBehindChars
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
      if (!held.texts.every(this.#isCleared)) break
      count++
      const bytes = this.#rewrite(held)
      if (bytes !== null) pieces.push(bytes)
      for (const { place, stretch } of held.texts) {
        this.#countHeld(place, -place.text.length)
        this.#judge.release(stretch)
      }
    }
    this.#held.splice(0, count)
    return pieces
  }

  /** A text at the head of the queue that keeps too much of others waiting. */
  #findStuck(): Stretch | null {
    const first = this.#held.findIndex(({ texts }) => !texts.every(this.#isCleared))
    const undecided = this.#held[first]?.texts.find((text) => !this.#isCleared(text))
    if (!undecided) return null
    let behind = 0
    for (const { texts } of this.#held.slice(first)) {
      for (const { place } of texts)
        if (place.channel !== undecided.place.channel) behind += place.text.length
    }
    return behind > mostBehindChars ? undecided.stretch : null
  }

  /** Null for what must not be seen at all. */
  #rewrite({ event, texts, telltales, isJson }: Held): Buffer | null {
    const edits: { start: number; end: number; json: string }[] = []
    for (const { place, stretch } of texts) {
      const text = this.#judge.read(stretch)
      if (text !== null) edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    for (const { start, end, blank } of telltales) {
      if (event.data.slice(start, end).trim() !== blank) edits.push({ start, end, json: blank })
    }
    if (edits.length === 0) return event.raw
    // Nothing can be put into what cannot be read.
    if (!isJson) return null
    edits.sort((a, b) => a.start - b.start)
    return Buffer.from(rewriteEvent(event, splice(event.data, edits)))
  }

  readonly #isCleared = ({ stretch }: HeldText): boolean => this.#judge.isCleared(stretch)
}
