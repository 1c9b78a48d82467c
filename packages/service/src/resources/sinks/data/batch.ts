import type { SinkRow } from '../store.js'

/** One entry of what is exported. */
export interface ExportedRow {
  at: Date
  /** The same whenever the entry is sent again. */
  id: string
  json: string
}

/** Consecutive entries that are sent together. */
export interface Batch {
  /** The position of the last entry that was read, exported or not. */
  end: string
  /** The names of the first and last entry that were read, which name the batch. */
  first: string
  last: string
  rows: ExportedRow[]
  /** Whether more is waiting behind it. */
  hasMore: boolean
}

/** One kind of data, in the order in which it is exported. */
export interface Source {
  /**
   * Reads the entries after the sink's position: exactly those up to `upTo`, or as many as a batch has. Null when
   * there are none.
   */
  read(sink: SinkRow, upTo: string | null): Promise<Batch | null>
}
