import type { Finding } from '../detect/index.js'
import type { Edit } from './edits.js'
import { decodeJsonText, encodeJsonText } from './json-text.js'
import type { JudgedText } from './judged-text.js'

/** A finding that must be redacted. */
export interface Removal extends Finding {
  /** Whether its value is put back into the answer. */
  restore: boolean
  /** It is a number in JSON: its placeholder is a string there. */
  isNumber?: boolean
}

/** Values of a streamed answer that keep their placeholder when they come again. */
const maxStreamedValues = 1_000

const placeholderShape = /\[[A-Z][A-Z0-9_]{0,40}_\d{1,6}\]/g

/** The placeholders of one call: the same value has the same one, wherever in the call it stands. */
export class Redactions {
  readonly #placeholderOf = new Map<string, string>()
  /** By label. */
  readonly #lastNumber = new Map<string, number>()
  /** Placeholders that the caller's texts already contain: they mean something else. */
  readonly #reserved = new Set<string>()
  /** By placeholder, the value that the answer gets back. */
  readonly #restorable = new Map<string, string>()
  #restorablePattern: RegExp | null = null
  #maxValues = Number.POSITIVE_INFINITY
  #maxReserved = Number.POSITIVE_INFINITY

  /**
   * A request is bounded by its size; a stream may go on without end. Of what is found in it from here on, so many values are
   * remembered. Each one beyond gets a placeholder of its own, also when it comes again.
   */
  boundFromHere(): void {
    this.#maxValues = this.#placeholderOf.size + maxStreamedValues
    this.#maxReserved = this.#reserved.size + maxStreamedValues
  }

  /** To be called with every text of a request before the first one is redacted. */
  reservePlaceholdersIn(text: string): void {
    if (!text.includes('[')) return
    for (const [placeholder] of text.matchAll(placeholderShape))
      if (this.#reserved.size < this.#maxReserved) this.#reserved.add(placeholder)
  }

  /** The edits that put placeholders where the removals are, which must be in order and must not overlap. */
  redact(removals: readonly Removal[], { text, json }: JudgedText): Edit[] {
    return removals.map(({ start, end, placeholder: label, restore, isNumber = false }) => {
      const encoded = text.slice(start, end)
      const value = json ? decodeJsonText(encoded).text : encoded
      const placeholder = this.#placeholderFor(label, value, restore)
      return { start, end, replacement: isNumber ? `"${placeholder}"` : placeholder }
    })
  }

  get canRestore(): boolean {
    return this.#restorable.size > 0
  }

  /** The edits that put values back into a text of the answer. */
  restore({ text, json }: JudgedText, from = 0): Edit[] {
    if (!this.canRestore || !text.includes('[', from)) return []
    this.#restorablePattern ??= new RegExp([...this.#restorable.keys()].map(escapePattern).join('|'), 'g')
    const edits: Edit[] = []
    for (const { index: start, 0: placeholder } of text.matchAll(this.#restorablePattern)) {
      if (start < from) continue
      const value = this.#restorable.get(placeholder) ?? placeholder
      const end = start + placeholder.length
      edits.push({ start, end, replacement: json ? encodeJsonText(value) : value })
    }
    return edits
  }

  /** Where a placeholder starts whose end may still come; the end of the text if there is none. */
  findPartialPlaceholder(text: string): number {
    if (!this.canRestore) return text.length
    const start = text.lastIndexOf('[')
    const tail = text.slice(start)
    const isPartial =
      start !== -1 &&
      [...this.#restorable.keys()].some((each) => each.length > tail.length && each.startsWith(tail))
    return isPartial ? start : text.length
  }

  #placeholderFor(label: string, value: string, restore: boolean): string {
    const known = this.#placeholderOf.get(value)
    const placeholder = known ?? this.#nextPlaceholder(label)
    if (known === undefined && this.#placeholderOf.size >= this.#maxValues) return placeholder
    this.#placeholderOf.set(value, placeholder)
    if (restore) this.#restorable.set(placeholder, value)
    return placeholder
  }

  #nextPlaceholder(label: string): string {
    let number = this.#lastNumber.get(label) ?? 0
    let placeholder = ''
    do {
      number++
      placeholder = `[${label}_${number}]`
    } while (this.#reserved.has(placeholder))
    this.#lastNumber.set(label, number)
    return placeholder
  }
}

const escapePattern = (text: string) => text.replace(/[[\]]/g, '\\$&')

/** In order, and findings that overlap as one. */
export function mergeOverlaps(removals: Removal[]): Removal[] {
  const merged: Removal[] = []
  for (const removal of removals.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || removal.start >= last.end) merged.push(removal)
    else {
      // Named after the longer of the two.
      if (removal.end - removal.start > last.end - last.start) last.placeholder = removal.placeholder
      last.end = Math.max(last.end, removal.end)
      last.restore ||= removal.restore
    }
  }
  return merged
}
