import { type Edit, splice } from '@tallystick/record/json'
import type { TextFinding } from '../../policies/index.js'
import type { TextLocation } from '../../providers/index.js'

export interface LocatedFinding extends TextFinding {
  location: TextLocation | undefined
}

/** Iterates over the texts of a body. `next` returns null for a value without text, and undefined at the end. */
interface TextSource {
  next(): TextLocation | null | undefined
}

/**
 * The texts of a body, preceded by those of its headers and query, in the order in which policies read them. Policies refer to a text by
 * its number.
 */
export class NumberedTexts {
  readonly #body: TextSource
  readonly #beforeBody: TextLocation[]
  readonly #locations: TextLocation[] = []

  constructor(body: TextSource, beforeBody: readonly TextLocation[] = []) {
    this.#body = body
    this.#beforeBody = [...beforeBody]
  }

  next(): TextLocation | null | undefined {
    const location = this.#beforeBody.pop() ?? this.#body.next()
    if (location) this.#locations.push(location)
    return location
  }

  locate(finding: TextFinding): LocatedFinding {
    return { ...finding, location: this.#locations[finding.number] }
  }

  /** Returns the body with some texts replaced and everything else unchanged. */
  apply(json: string, changes: ReadonlyMap<number, string>, others: readonly Edit[] = []): string {
    if (changes.size + others.length === 0) return json
    const edits = [...others]
    for (const [number, text] of changes) {
      const location = this.#locations[number]
      // A text inside a value that is replaced as a whole needs no edit of its own.
      const isWithin = ({ start, end }: Edit) => location && start <= location.start && end >= location.end
      if (location && !others.some(isWithin))
        edits.push({ start: location.start, end: location.end, json: JSON.stringify(text) })
    }
    return splice(
      json,
      edits.sort((a, b) => a.start - b.start),
    )
  }
}
