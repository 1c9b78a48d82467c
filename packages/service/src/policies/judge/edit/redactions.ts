import type { Finding } from '../../detect/index.js'
import { decodeJsonText, encodeJsonText } from '../decode/json-text.js'
import type { JudgedText } from '../judged-text.js'
import type { Edit } from './edits.js'

/** A finding that must be redacted. */
export interface Removal extends Finding {
  /** True when its value is restored in the answer. */
  restore: boolean
  /** True for a JSON number, which is replaced by a string. */
  isNumber?: boolean
}

/** How many values of a streamed answer keep their placeholder when they occur again. */
const maxStreamedValues = 1_000

const placeholderShape = /\[[A-Z][A-Z0-9_]{0,40}_\d{1,6}\]/g

/** The placeholders of one call. The same value has the same placeholder everywhere in the call. */
export class Redactions {
  // Bounded: values of a request, which its size bounds, and 1,000 of a stream.
  readonly #placeholderOf = new Map<string, string>()
  /** The last number used for each label. */
  // Bounded: labels of the policies.
  readonly #lastNumber = new Map<string, number>()
  /** Placeholders that the caller's own texts contain, which must not be used for values. */
  // Bounded: placeholders in a request, which its size bounds, and 1,000 of a stream.
  readonly #reserved = new Set<string>()
  /** The values to restore in the answer, by placeholder. */
  // Bounded: some of the values.
  readonly #restorable = new Map<string, string>()
  #restorablePattern: RegExp | null = null
  #maxValues = Number.POSITIVE_INFINITY
  #maxReserved = Number.POSITIVE_INFINITY

  /**
   * Limits how many further values are remembered. The size of a request bounds its values, but a stream may be endless. A value beyond the
   * limit gets a new placeholder each time.
   */
  limitRememberedValues(): void {
    this.#maxValues = this.#placeholderOf.size + maxStreamedValues
    this.#maxReserved = this.#reserved.size + maxStreamedValues
  }

  /** Reserves the placeholders in a text. Must be called with every text of a request before the first one is redacted. */
  reservePlaceholdersIn(text: string): void {
    if (!text.includes('[')) return
    for (const [placeholder] of text.matchAll(placeholderShape))
      if (this.#reserved.size < this.#maxReserved) this.#reserved.add(placeholder)
  }

  /** Returns the edits that replace removals by placeholders. The removals must be in order and must not overlap. */
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

  /** Returns the edits that restore values in a text of the answer. */
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

  /** Returns the start of a placeholder that may continue after the text; the end of the text if there is none. */
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

/** Sorts removals and merges those that overlap. */
export function mergeOverlaps(removals: Removal[]): Removal[] {
  const merged: Removal[] = []
  for (const removal of removals.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1)
    if (last === undefined || removal.start >= last.end) merged.push(removal)
    else {
      // The longer of the two names the result.
      if (removal.end - removal.start > last.end - last.start) last.placeholder = removal.placeholder
      last.end = Math.max(last.end, removal.end)
      last.restore ||= removal.restore
    }
  }
  return merged
}
