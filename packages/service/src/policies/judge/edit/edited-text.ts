import { combineEdits, type Edit } from './edits.js'

/**
 * The end of a growing text, with the removals and restored values in it. All positions count from the start of the text, also after the
 * start was dropped.
 */
export class EditedText {
  /** The text from `#base` on. */
  #text = ''
  #base = 0
  #removals: Edit[] = []
  #restored: Edit[] = []

  append(piece: string): void {
    this.#text += piece
  }

  /** The part of the text that is still kept. */
  get kept(): string {
    return this.#text
  }

  /** The position where the kept part starts. */
  get base(): number {
    return this.#base
  }

  get length(): number {
    return this.#base + this.#text.length
  }

  get lastRemovalEnd(): number {
    return this.#removals.at(-1)?.end ?? 0
  }

  /** Adds a removal, which must come after all earlier ones. */
  addRemoval(edit: Edit): void {
    this.#removals.push(edit)
  }

  addRestored(edit: Edit): void {
    this.#restored.push(edit)
  }

  /** Returns a span with all edits; null if there are none in it. */
  read(from: number, to: number): string | null {
    if (this.#removals.length + this.#restored.length === 0) return null
    return this.#apply(combineEdits(this.#removals, this.#restored), from, to)
  }

  /** Returns a span with removals only; null if nothing was removed from it. */
  readRemoved(from: number, to: number): string | null {
    return this.#apply(this.#removals, from, to)
  }

  /** Returns a span with removals only. */
  readRedacted(from: number, to: number): string {
    const start = Math.max(this.#base, from)
    return this.#apply(this.#removals, start, to) ?? this.#slice(start, to)
  }

  dropBefore(base: number): void {
    this.#text = this.#text.slice(base - this.#base)
    this.#base = base
    const isKept = ({ end }: Edit) => end > base
    this.#removals = this.#removals.filter(isKept)
    this.#restored = this.#restored.filter(isKept)
  }

  #apply(edits: readonly Edit[], from: number, to: number): string | null {
    const touched = edits.filter(({ start, end }) => start < to && end > from)
    if (touched.length === 0) return null
    const pieces: string[] = []
    let at = from
    for (const { start, end, replacement } of touched) {
      pieces.push(this.#slice(at, start))
      // An edit that covers several spans has its replacement in the first.
      if (start >= from) pieces.push(replacement)
      at = Math.max(at, end)
    }
    pieces.push(this.#slice(at, to))
    return pieces.join('')
  }

  #slice(from: number, to: number): string {
    return from < to ? this.#text.slice(from - this.#base, to - this.#base) : ''
  }
}
