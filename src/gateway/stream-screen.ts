import type { ApiError } from '../errors.js'
import type { StreamJudge, Stretch } from '../modules/policies/index.js'
import { parseObject, rewriteEvent, type StreamEvent, type StreamText, splice } from '../providers/index.js'
import type { Call } from './call.js'

/** So many characters of other texts may wait behind one that is not decided: models go on to something else. */
const mostBehindChars = 2_048

interface Held {
  event: StreamEvent
  texts: { place: StreamText; stretch: Stretch }[]
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
  readonly #held: Held[] = []

  constructor(call: Call, judge: StreamJudge) {
    this.#call = call
    this.#judge = judge
    this.#asJson = call.dialect.texts.asksForJson(call.body)
  }

  take(event: StreamEvent): void {
    const { texts: reading } = this.#call.dialect
    const content = parseObject(event.data)
    if (content === null) {
      this.#takeUnreadable(event)
      return
    }
    const { texts, telltales, ends } = reading.inEvent(event.data, content, this.#asJson)
    this.#judge.callTools(reading.toolsCalledIn(content))
    this.#held.push({
      event,
      texts: texts.map((place) => ({ place, stretch: this.#judge.append(place.channel, place) })),
      telltales: this.#judge.holds ? telltales : [],
      isJson: true,
    })
    for (const beginning of ends) this.#judge.end(beginning)
  }

  /** What is no JSON is judged as the text it is. */
  #takeUnreadable(event: StreamEvent): void {
    const { data: text } = event
    const texts: Held['texts'] = []
    if (text !== '' && text !== '[DONE]') {
      const place = { start: 0, end: text.length, text, json: false, isEcho: false, path: [], channel: null }
      texts.push({ place, stretch: this.#judge.append(null, place) })
    }
    this.#held.push({ event, texts, telltales: [], isJson: false })
  }

  endAll(): void {
    this.#judge.end('')
  }

  /** Judges what can be judged by now. The error ends the stream. */
  async settle(): Promise<ApiError | null> {
    await this.#judge.settle()
    for (let stuck = this.#findStuck(); stuck !== null; stuck = this.#findStuck()) await stuck.force()
    return this.#judge.refusal()
  }

  /** The events that may be seen by now. */
  release(): Buffer[] {
    const pieces: Buffer[] = []
    for (let head = this.#held[0]; head?.texts.every(isCleared); head = this.#held[0]) {
      this.#held.shift()
      pieces.push(...this.#rewrite(head))
      for (const { stretch } of head.texts) stretch.release()
    }
    return pieces
  }

  /** A text at the head of the queue that keeps too much of others waiting. */
  #findStuck(): Stretch | null {
    const first = this.#held.findIndex(({ texts }) => !texts.every(isCleared))
    const undecided = this.#held[first]?.texts.find((text) => !isCleared(text))
    if (!undecided) return null
    let behind = 0
    for (const { texts } of this.#held.slice(first)) {
      for (const { place } of texts)
        if (place.channel !== undecided.place.channel) behind += place.text.length
    }
    return behind > mostBehindChars ? undecided.stretch : null
  }

  #rewrite({ event, texts, telltales, isJson }: Held): Buffer[] {
    const edits: { start: number; end: number; json: string }[] = []
    for (const { place, stretch } of texts) {
      const text = stretch.read()
      if (text !== null) edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    for (const { start, end, blank } of telltales) {
      if (event.data.slice(start, end).trim() !== blank) edits.push({ start, end, json: blank })
    }
    if (edits.length === 0) return [event.raw]
    // Nothing can be put into what cannot be read.
    if (!isJson) return []
    edits.sort((a, b) => a.start - b.start)
    return [Buffer.from(rewriteEvent(event, splice(event.data, edits)))]
  }
}

const isCleared = ({ stretch }: { stretch: Stretch }): boolean => stretch.isCleared()
