import { combineEdits, type Edit } from './edits.js'

/**
 * The end of a text that grows, with what was removed from it and restored in it. All positions count from the start of the
 * text, also after its start was dropped.
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

  /** What is still kept of it. */
  get kept(): string {
    return this.#text
  }

  /** Where that starts. */
  get base(): number {
    return this.#base
  }

  get length(): number {
    return this.#base + this.#text.length
  }

  get lastRemovalEnd(): number {
    return this.#removals.at(-1)?.end ?? 0
  }

  /** After all removals before. */
  addRemoval(edit: Edit): void {
    this.#removals.push(edit)
  }

  addRestored(edit: Edit): void {
    this.#restored.push(edit)
  }

  /** A span with all edits; null if there are none in it. */
  read(from: number, to: number): string | null {
    if (this.#removals.length + this.#restored.length === 0) return null
    return this.#apply(combineEdits(this.#removals, this.#restored), from, to)
  }

  /** A span without what was restored; null if nothing was removed from it. */
  readRemoved(from: number, to: number): string | null {
    return this.#apply(this.#removals, from, to)
  }

  /** A span without what was restored. */
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
