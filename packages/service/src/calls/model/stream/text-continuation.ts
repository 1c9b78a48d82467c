import {
  type EventContext,
  EventTemplate,
  hasRepeatedMember,
  type StreamEvent,
} from '../../../providers/index.js'
import type { Call } from '../call.js'

/** An event that reports usage replaces what was reported before. An escape could hide the name of that member. */
const mayReportUsage = /"usage"\s*:\s*[^n\s]|\\/

/** Making a template takes as long as parsing some events, so the templates of short streams would cost more than they save. */
const minMisses = 8

/**
 * Reads events that differ from an earlier one only in pieces of text, without parsing them. Nearly all events of a stream do, and their
 * texts are all that must be known of them: everything else was known from the earlier event, and other events since do not undo it.
 */
export class TextContinuation {
  readonly #call: Pick<Call, 'endpoint'>
  readonly #context: EventContext
  #template: EventTemplate | null = null
  #name = ''
  /** How many events in a row did not fit. */
  #misses = 0

  constructor(call: Pick<Call, 'endpoint' | 'body'>) {
    this.#call = call
    this.#context = { asJson: call.endpoint.texts.asksForJson(call.body), request: call.body }
  }

  /** Returns the texts of an event. Null when it must be parsed. */
  read({ name, data }: StreamEvent): string[] | null {
    const fitting = this.#template === null || name !== this.#name ? null : this.#template.fit(data)
    if (fitting === null) return null
    this.#misses = 0
    return fitting.texts.map(({ text }) => text)
  }

  /**
   * Called with an event that was parsed, and the texts that were counted in it. A template is made after some events, and then less and
   * less often while none fits.
   */
  learn({ name, data, content }: StreamEvent, counted: readonly string[]): void {
    if (content === null || counted.every((text) => text === '')) return
    this.#misses += 1
    const isDue = this.#misses >= minMisses && (this.#misses & (this.#misses - 1)) === 0
    if (!isDue) return
    if (mayReportUsage.test(data) || hasRepeatedMember(data)) return
    const texts = this.#call.endpoint.readEvent(data, content, this.#context)
    const template = texts && EventTemplate.of(data, texts)
    // A text that is counted but is no piece would be missing from the next event.
    if (!template?.hasOnlyTexts(counted)) return
    this.#template = template
    this.#name = name
  }
}
