import { type Edit, splice } from '@tallystick/record/json'
import type { TextFinding } from '../../policies/index.js'
import type { TextLocation } from '../../providers/index.js'

export interface LocatedFinding extends TextFinding {
  location: TextLocation | undefined
}

/** Iterates over the texts of a body. Returns null for a value without text, and undefined at the end. */
interface TextSource {
  next(): TextLocation | null | undefined
}

/**
 * The texts of a body, preceded by those of its headers and query, in the order in which policies read them. Policies refer to a text by
 * its number.
 */
export class NumberedTexts {
  readonly #walk: TextSource
  readonly #head: TextLocation[]
  readonly #places: TextLocation[] = []

  /** `head` holds the texts that come before the body. */
  constructor(walk: TextSource, head: readonly TextLocation[] = []) {
    this.#walk = walk
    this.#head = [...head]
  }

  next(): TextLocation | null | undefined {
    const place = this.#head.pop() ?? this.#walk.next()
    if (place) this.#places.push(place)
    return place
  }

  locate(finding: TextFinding): LocatedFinding {
    return { ...finding, location: this.#places[finding.number] }
  }

  /** Returns the body with some texts replaced and everything else unchanged. */
  apply(json: string, changes: ReadonlyMap<number, string>, others: readonly Edit[] = []): string {
    if (changes.size + others.length === 0) return json
    const edits = [...others]
    for (const [number, text] of changes) {
      const place = this.#places[number]
      // A text inside a value that is replaced as a whole needs no edit of its own.
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
