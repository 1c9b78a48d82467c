import { type Edit, splice } from '../../json/index.js'
import type { TextPlace, TextWalk } from '../../providers/index.js'

/** The texts of a body, in the order in which policies read them. Policies refer to a text by its number. */
export class NumberedTexts {
  readonly #walk: TextWalk
  readonly #places: TextPlace[] = []

  constructor(walk: TextWalk) {
    this.#walk = walk
  }

  next(): TextPlace | null | undefined {
    const place = this.#walk.next()
    if (place) this.#places.push(place)
    return place
  }

  /** The body with some texts replaced. Everything else stays as it is. */
  apply(json: string, changes: ReadonlyMap<number, string>, others: readonly Edit[] = []): string {
    if (changes.size + others.length === 0) return json
    const edits = [...others]
    for (const [number, text] of changes) {
      const place = this.#places[number]
      if (place) edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    return splice(
      json,
      edits.sort((a, b) => a.start - b.start),
    )
  }
}
