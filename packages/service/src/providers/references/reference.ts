/** What a provider stores and a later request can refer to by id. */
export type ReferenceKind =
  | 'response'
  | 'conversation'
  | 'item'
  | 'container'
  | 'file'
  | 'vector store'
  | 'audio'
  | 'voice'
  | 'skill'
  | 'tunnel'
  | 'cached content'
  | 'data source'

export interface Reference {
  kind: ReferenceKind
  id: string
}

/** A reference in a request, and its path, such as `input.3.content.0.file_id`. */
export interface NamedReference extends Reference {
  path: string
}

/** The longest id that is remembered; those of known vendors have fewer than 100 characters. */
const maxIdLength = 512

/** The most ids that are remembered of one answer, because a provider decides how many it contains. */
const maxIssued = 1_000

/** The ids that a provider issued with one answer, without duplicates. */
export class IssuedReferences {
  // Bounded: what one answer issued, bounded by `maxIssued`.
  readonly #found = new Map<string, Reference>()

  add(kind: ReferenceKind, id: unknown): void {
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return
    if (this.#found.size < maxIssued) this.#found.set(`${kind}\n${id}`, { kind, id })
  }

  list(): readonly Reference[] {
    return [...this.#found.values()]
  }
}
