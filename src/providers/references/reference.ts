/** What a provider keeps and a later request can name by an id. */
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

/** A reference in a request, and where it stands, e.g. `input.3.content.0.file_id`. */
export interface NamedReference extends Reference {
  path: string
}

/** The longest id that is remembered; those of known vendors have fewer than 100 characters. */
const maxIdLength = 512

/** A provider decides how many ids its answer has: what is remembered of them is bounded. */
const maxIssued = 1_000

/** The ids that a provider issued with one answer, each once. */
export class IssuedReferences {
  readonly #found = new Map<string, Reference>()

  add(kind: ReferenceKind, id: unknown): void {
    if (typeof id !== 'string' || id === '' || id.length > maxIdLength) return
    if (this.#found.size < maxIssued) this.#found.set(`${kind}\n${id}`, { kind, id })
  }

  list(): readonly Reference[] {
    return [...this.#found.values()]
  }
}
