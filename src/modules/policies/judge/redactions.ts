import type { Finding } from '../detect/index.js'
import { readJsonText, writeJsonText } from './json-text.js'
import type { JudgedText } from './scan.js'

/** A stretch of a text, and what it becomes. */
export interface Edit {
  start: number
  end: number
  replacement: string
}

/** A finding that must go. */
export interface Removal extends Finding {
  restore: boolean
}

const placeholderShape = /\[[A-Z][A-Z0-9_]{0,40}_\d{1,6}\]/g

interface Book {
  /** By value. */
  placeholders: Map<string, string>
  /** By label, the last that was given. */
  numbers: Map<string, number>
  /** Placeholders that the texts of the caller already have: they mean something else. */
  taken: Set<string>
  /** By placeholder, what the answer gets back. */
  restorable: Map<string, string>
}

const openBook = (): Book => ({
  placeholders: new Map(),
  numbers: new Map(),
  taken: new Set(),
  restorable: new Map(),
})

/** The placeholders of one call: the same value has the same one, wherever in the call it stands. */
export class Redactions {
  /** Nearly all calls need none. */
  #opened: Book | null = null
  #pattern: RegExp | null = null

  get #book(): Book {
    this.#opened ??= openBook()
    return this.#opened
  }

  /** To be told of every text before the first one is changed. */
  notice(text: string): void {
    if (!text.includes('[')) return
    for (const [placeholder] of text.matchAll(placeholderShape)) this.#book.taken.add(placeholder)
  }

  /** What becomes of a text when findings are taken out of it, which must be in order and apart. */
  remove(removals: readonly Removal[], { text, json }: JudgedText): Edit[] {
    return removals.map(({ start, end, placeholder, restore }) => {
      const written = text.slice(start, end)
      const value = json ? readJsonText(written).text : written
      return { start, end, replacement: this.#placeholderFor(placeholder, value, restore) }
    })
  }

  get canRestore(): boolean {
    return this.#opened !== null && this.#opened.restorable.size > 0
  }

  /** Where values go back into a text of the answer. */
  restore({ text, json }: JudgedText, from = 0): Edit[] {
    if (!this.canRestore || !text.includes('[', from)) return []
    const { restorable } = this.#book
    this.#pattern ??= new RegExp([...restorable.keys()].map(escapePattern).join('|'), 'g')
    const edits: Edit[] = []
    for (const match of text.matchAll(this.#pattern)) {
      const value = restorable.get(match[0]) ?? match[0]
      const { index: start } = match
      if (start >= from)
        edits.push({
          start,
          end: start + match[0].length,
          replacement: json ? writeJsonText(value) : value,
        })
    }
    return edits
  }

  /** Where a placeholder begins of which the rest may still come; the end of the text when there is none. */
  findUnfinished(text: string): number {
    if (!this.canRestore) return text.length
    const open = text.lastIndexOf('[')
    const tail = text.slice(open)
    const isBeginning =
      open !== -1 &&
      [...this.#book.restorable.keys()].some((each) => each.length > tail.length && each.startsWith(tail))
    return isBeginning ? open : text.length
  }

  #placeholderFor(label: string, value: string, restore: boolean): string {
    const { placeholders, restorable } = this.#book
    const placeholder = placeholders.get(value) ?? this.#nextPlaceholder(label)
    placeholders.set(value, placeholder)
    if (restore) restorable.set(placeholder, value)
    return placeholder
  }

  #nextPlaceholder(label: string): string {
    const { numbers, taken } = this.#book
    let number = numbers.get(label) ?? 0
    let placeholder = ''
    do {
      number++
      placeholder = `[${label}_${number}]`
    } while (taken.has(placeholder))
    numbers.set(label, number)
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

/** The text with its edits, which must be in order and apart. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, replacement } of edits) {
    pieces.push(text.slice(at, start), replacement)
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** What is taken out stays out, also where it would give back a value. */
export function combineEdits(removals: readonly Edit[], restored: readonly Edit[]): Edit[] {
  if (restored.length === 0) return [...removals]
  const clear = restored.filter(({ start, end }) =>
    removals.every((removal) => removal.end <= start || removal.start >= end),
  )
  return [...removals, ...clear].sort((a, b) => a.start - b.start)
}
