/** A JSON text that is malformed, ambiguous or larger than its bounds. */
export class JsonError extends Error {
  /** The path of the faulty value: member names and item numbers, joined by dots. Null when the error concerns the whole text. */
  readonly path: string | null

  constructor(message: string, path: string | null = null) {
    super(message)
    this.path = path
  }
}
