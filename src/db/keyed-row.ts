/** A row that is added to, and found by its key. */
export interface KeyedRow {
  /** One for each key. */
  name: string
  values: readonly unknown[]
}
