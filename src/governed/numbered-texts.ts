import { type Edit, splice } from '../json/index.js'
import type { TextFinding } from '../modules/policies/index.js'
import type { TextPlace } from '../providers/index.js'

export interface PlacedFinding extends TextFinding {
  place: TextPlace | undefined
}

/** Reads one text after the other; null when there is none at this place, undefined at the end. */
interface TextsOfBody {
  next(): TextPlace | null | undefined
}

/**
 * The texts of a body and of what goes with it, headers and query, in the order in which policies read them. Policies refer to a text
 * by its number.
 */
export class NumberedTexts {
  readonly #walk: TextsOfBody
  readonly #head: TextPlace[]
  readonly #places: TextPlace[] = []

  /** `head`: what stands before the body. */
  constructor(walk: TextsOfBody, head: readonly TextPlace[] = []) {
    this.#walk = walk
    this.#head = [...head]
  }

  next(): TextPlace | null | undefined {
    const place = this.#head.pop() ?? this.#walk.next()
    if (place) this.#places.push(place)
    return place
  }

  locate(finding: TextFinding): PlacedFinding {
    return { ...finding, place: this.#places[finding.number] }
  }

  /** The body with some texts replaced. Everything else stays as it is. */
  apply(json: string, changes: ReadonlyMap<number, string>, others: readonly Edit[] = []): string {
    if (changes.size + others.length === 0) return json
    const edits = [...others]
    for (const [number, text] of changes) {
      const place = this.#places[number]
      // What goes as a whole takes along what would be changed in it.
      const isWithin = ({ start, end }: Edit) => place && start <= place.start && end >= place.end
      if (place && !others.some(isWithin))
        edits.push({ start: place.start, end: place.end, json: JSON.stringify(text) })
    }
    return splice(
      json,
      edits.sort((a, b) => a.start - b.start),
    )
  }
}
