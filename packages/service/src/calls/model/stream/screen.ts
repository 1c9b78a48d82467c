import { type JsonObject, writeJson } from '@tallystick/record/json'
import type { StreamJudge, TextSpan } from '../../../policies/index.js'
import {
  type EventContext,
  EventTemplate,
  type EventTexts,
  findToolsCalledIn,
  hasRepeatedMember,
  isDone,
  type StreamEvent,
  type StreamText,
} from '../../../providers/index.js'
import type { ApiError } from '../../../shared/errors.js'
import type { Call } from '../call.js'
import { CalledNames } from './called-names.js'
import {
  combineReadings,
  type HeldEvent,
  type HeldText,
  toNameText,
  withoutTexts,
  writeHeldEvent,
} from './held-events.js'

const noTexts: HeldEvent['texts'] = []
const noRevealing: HeldEvent['revealing'] = []

/** How many characters of other texts may wait for one that is undecided. Models may continue with other texts in between. */
const maxBlockedChars = 2_048

/** The released events as text, in order. */
export interface ReleasedEvents {
  pieces: string[]
  redacted: string[]
}

/** The names of events that are forwarded. Some clients take other characters for the end of a line. */
const printable = /^[\x20-\x7e]*$/

/**
 * Holds events back until every text in them may be seen, and changes those in which something was redacted or restored. Events leave in
 * the order in which they arrived, in a form that all clients read in the same way. An event that cannot be read fails every policy.
 */
export class StreamScreen {
  readonly #call: Call
  readonly #judge: StreamJudge
  readonly #context: EventContext
  readonly #calledNames: CalledNames
  /** The event that was parsed last, without its texts. */
  #template: EventTemplate | null = null
  /** The name of that event, which only repeats its type. */
  #templateName = ''
  /** Whether the texts of that event are exactly those that the stream reader counts. */
  #isCounted = false
  readonly #held: HeldEvent[] = []
  /** The characters of held events without texts. */
  #heldCharsWithoutText = 0

  constructor(call: Call, judge: StreamJudge) {
    this.#call = call
    this.#judge = judge
    this.#calledNames = new CalledNames(judge)
    this.#context = { asJson: call.endpoint.texts.asksForJson(call.body), request: call.body }
  }

  /** Adds an event. `counted` are the texts that the stream reader counted in it. */
  add(event: StreamEvent, counted: readonly string[]): void {
    const { name, data, content } = event
    if (data === '' || isDone(data)) this.#hold('', null, data, withoutTexts)
    else if (content === null || !printable.test(name)) this.#addUnreadable(event)
    else if (this.#addContinuation(event) === null) this.#addParsed(event, content, counted)
  }

  /**
   * Adds an event that differs from the last one only in pieces of text, and returns those. Nearly all events do, and need
   * not be parsed. Null for any other.
   */
  addContinuation(event: StreamEvent): string[] | null {
    return this.#isCounted ? this.#addContinuation(event) : null
  }

  #addContinuation({ name, data }: StreamEvent): string[] | null {
    const texts = this.#template === null || name !== this.#templateName ? null : this.#template.fit(data)
    if (!texts) return null
    this.#calledNames.close([])
    this.#hold(name, null, data, texts)
    return texts.texts.map(({ text }) => text)
  }

  #addParsed(event: StreamEvent, content: JsonObject, counted: readonly string[]): void {
    const { name } = event
    const { readEvent } = this.#call.endpoint
    // With two members of the same name, only the one that was read here is forwarded.
    const data = hasRepeatedMember(event.data) ? writeJson(content) : event.data
    const read = data === '' ? null : readEvent(data, content, this.#context)
    this.#template = null
    if (read === null) {
      this.#addUnreadable(event)
      return
    }
    const { whole, pieces } = findToolsCalledIn(content)
    this.#judge.judgeTools(whole)
    const openNames = this.#calledNames.add(pieces, data.length)
    // A type that is judged may be redacted, so the name must not repeat it.
    const isNamed = name === '' || (name === content.type && read.texts.every(({ text }) => text !== name))
    if (openNames === null && whole.names.length === 0 && isNamed) {
      this.#template = EventTemplate.of(data, read)
      this.#templateName = name
      this.#isCounted = this.#template?.hasOnlyTexts(counted) === true
    }
    this.#hold(name, isNamed ? null : this.#append(toNameText(name)), data, read, openNames)
  }

  #addUnreadable({ name, data }: StreamEvent): void {
    this.#judge.failUnreadable()
    this.#hold(name, null, data, withoutTexts)
  }

  #hold(
    name: string,
    nameText: HeldEvent['nameText'],
    data: string,
    { texts, revealing, ends }: EventTexts,
    openNames: HeldEvent['openNames'] = null,
  ): void {
    this.#held.push({
      name,
      nameText,
      data,
      texts: texts.length === 0 ? noTexts : texts.map(this.#append),
      revealing: this.#judge.holdsBack ? revealing : noRevealing,
      openNames,
    })
    if (texts.length === 0) this.#heldCharsWithoutText += data.length + 1
    for (const beginning of ends) this.#judge.end(beginning)
  }

  readonly #append = (location: StreamText): HeldText => ({
    location,
    span: this.#judge.append(location.channel, location),
    whole: location.mayBeWhole ? this.#judge.append(null, location) : null,
  })

  /** Called when the stream has ended, so that no text or name continues. */
  endAll(): void {
    this.#calledNames.close([])
    this.#judge.end('')
  }

  /** True when there is something to judge or to release. */
  isDue(): boolean {
    const [head] = this.#held
    if (head === undefined) return false
    if (head.openNames?.isOpen) return this.#judge.isDue
    const undecided = this.#undecidedIn(head)
    return undecided === undefined || this.#judge.isDue || this.#blocksOthers(undecided)
  }

  /** Judges the texts that can be judged so far. An error ends the stream. Synchronous unless a policy is asynchronous. */
  judgeReady(): ApiError | null | Promise<ApiError | null> {
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

  /** Returns the events that may be seen. `redacted` is the same without the values that policies restored for the caller. */
  release(): ReleasedEvents {
    const pieces: string[] = []
    const redacted: string[] = this.#judge.restores ? [] : pieces
    let count = 0
    for (const held of this.#held) {
      if (held.openNames?.isOpen || this.#undecidedIn(held) !== undefined) break
      count++
      pieces.push(writeHeldEvent(held, this.#read))
      if (redacted !== pieces) redacted.push(writeHeldEvent(held, this.#readRemoved))
      if (held.texts.length === 0) this.#heldCharsWithoutText -= held.data.length + 1
      for (const text of held.texts) this.#release(text)
      if (held.nameText !== null) this.#release(held.nameText)
    }
    this.#held.splice(0, count)
    return { pieces, redacted }
  }

  #release({ span, whole }: HeldText): void {
    this.#judge.release(span)
    if (whole !== null) this.#judge.release(whole)
  }

  /** Returns the first undecided text if too many characters of other texts wait for it. */
  #findStuck(): TextSpan | null {
    if (this.#judge.unreleasedChars + this.#heldCharsWithoutText <= maxBlockedChars) return null
    const first = this.#held.findIndex((held) => this.#undecidedIn(held) !== undefined)
    const undecided = this.#held[first] && this.#undecidedIn(this.#held[first])
    return undecided !== undefined && this.#blocksOthers(undecided, first) ? undecided : null
  }

  /**
   * True when too many characters of other texts wait for this one, which is in the held event at `first`. Values in the same events, such
   * as ids, are not counted, because the text is continuing and will be decided.
   */
  #blocksOthers({ part }: TextSpan, first = 0): boolean {
    const most = this.#judge.unreleasedCharsBeside(part) + this.#heldCharsWithoutText
    if (most <= maxBlockedChars) return false
    let blocked = 0
    for (const { texts, data } of this.#held.slice(first)) {
      if (texts.length === 0) blocked += data.length + 1
      else if (!texts.some(({ span }) => span.part === part))
        for (const { location } of texts) blocked += location.text.length
      if (blocked > maxBlockedChars) return true
    }
    return false
  }

  #undecidedIn({ texts, nameText }: HeldEvent): TextSpan | undefined {
    for (const text of texts) {
      const undecided = this.#undecidedOf(text)
      if (undecided !== undefined) return undecided
    }
    return nameText === null ? undefined : this.#undecidedOf(nameText)
  }

  #undecidedOf({ span, whole }: HeldText): TextSpan | undefined {
    if (!this.#judge.isCleared(span)) return span
    return whole === null || this.#judge.isCleared(whole) ? undefined : whole
  }

  /** Returns the text for the caller. Null when it is unchanged. */
  readonly #read = ({ span, whole }: HeldText): string | null =>
    combineReadings(this.#judge.read(span), whole && this.#judge.read(whole))

  readonly #readRemoved = ({ span, whole }: HeldText): string | null =>
    combineReadings(this.#judge.readRemoved(span), whole && this.#judge.readRemoved(whole))
}
