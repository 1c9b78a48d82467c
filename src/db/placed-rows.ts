import { BoundedMap } from '../bounded-map.js'
import type { Statement } from './database.js'
import { createRowStatements } from './row-statements.js'

/** A row that is added to. */
export interface PlacedRow {
  /** One for each key. */
  name: string
  values: readonly unknown[]
}

export interface PlacedRowsOptions {
  /** Adds to rows that it finds by their keys, or makes them. The statements answer with the `place` of each row, in their order. */
  byKey(rows: readonly (readonly unknown[])[]): Statement[]
  /** The function of the database that adds to one row, with the place where it was last and the values of the row. */
  byPlace: { name: string; columns: number }
}

const maxPlaces = 10_000

/**
 * Adds to rows where the last commit of this writer has put them: while somebody keeps a snapshot open, an index leads to a row through
 * every version that it ever had. A place is a hint: the database finds a row that is elsewhere by its key.
 */
export function createPlacedRows({
  byKey,
  byPlace,
}: PlacedRowsOptions): (rows: readonly PlacedRow[]) => Statement[] {
  const places = new BoundedMap<string, string>(maxPlaces)
  const moveRows = createRowStatements({
    name: byPlace.name,
    columns: byPlace.columns + 1,
    maxExactRows: 8,
    tuple: (values) => `${byPlace.name}(${values.join(', ')})`,
    text: (calls) => `select unnest(array[${calls}])::text as place`,
  })

  /** Statements answer for their rows one after the other. */
  function remembering(rows: readonly PlacedRow[], statements: readonly Statement[]): Statement[] {
    let next = 0
    const onCommitted = (given: Record<string, unknown>[]) => {
      for (const { place } of given) {
        const row = rows[next++]
        if (row) places.set(row.name, String(place))
      }
    }
    return statements.map((statement) => ({ ...statement, onCommitted }))
  }

  return (rows) => {
    const known: PlacedRow[] = []
    const unknown: PlacedRow[] = []
    for (const row of rows) (places.has(row.name) ? known : unknown).push(row)
    const moves = known.map(({ name, values }) => [places.get(name), ...values])
    return [
      ...remembering(known, moveRows(moves)),
      ...remembering(unknown, byKey(unknown.map(({ values }) => values))),
    ]
  }
}
