import { BoundedMap } from '../bounded-map.js'
import type { Statement } from './database.js'
import type { KeyedRow } from './keyed-row.js'
import { createRowStatements } from './row-statements.js'
import { pageOf, unrestAfter } from './unrest.js'

export interface PlacedRowsOptions {
  /** Adds to rows that it finds by their keys, or makes them. The statements answer with the `place` of each row, in their order. */
  byKey(rows: readonly (readonly unknown[])[]): Statement[]
  /**
   * The function of the database that adds to one row, given the place where it was last and the values of the row. It answers with
   * the new place, or with null where the row was elsewhere.
   */
  byPlace: { name: string; columns: number }
}

/** Where the last commit of this writer has put a row, and how it is found. */
interface Known {
  place: string
  unrest: number
  /** How many writes are by place from now on. */
  left: number
  /** How many they are the next time. */
  run: number
}

const maxKnown = 10_000

// Only who comes by the key clears away. So after a run of writes by place, some go by the key again, until the row moves once more.
// Runs get longer, as does the way: together these writes cost about as much in the second hour of a snapshot as in the first minute.
const firstRun = 256
const maxRun = 65_536

/**
 * Adds to rows by their keys, and to restless ones where the last commit has put them. A place is a hint: the database finds a row that
 * is elsewhere by its key. By place is dearer for a row that stays where it is: 16 of them cost a third more than by their keys.
 */
export function createPlacedRows({
  byKey,
  byPlace,
}: PlacedRowsOptions): (rows: readonly KeyedRow[]) => Statement[] {
  const known = new BoundedMap<string, Known>(maxKnown)
  const addByPlace = createRowStatements({
    name: byPlace.name,
    columns: byPlace.columns + 1,
    maxExactRows: 8,
    tuple: (values) => `${byPlace.name}(${values.join(', ')})`,
    text: (calls) => `select array[${calls}]::text as places`,
  })

  /** The statements answer for the rows one after the other. */
  function remembering(
    rows: readonly KeyedRow[],
    statements: readonly Statement[],
    placesOf: (given: Record<string, unknown>[]) => readonly (string | null)[],
  ): Statement[] {
    let answered = 0
    const onCommitted = (given: Record<string, unknown>[]) => {
      for (const place of placesOf(given)) {
        const row = rows[answered++]
        if (row === undefined) continue
        // Not where it was: others write to it too, and would move it again and again.
        if (place === null) known.delete(row.name)
        else known.set(row.name, next(known.get(row.name), place))
      }
    }
    return statements.map((statement) => ({ ...statement, onCommitted }))
  }

  return (rows) => {
    const placed: KeyedRow[] = []
    const others: KeyedRow[] = []
    for (const row of rows) {
      const before = known.get(row.name)
      if (before && before.left > 0) placed.push({ name: row.name, values: [before.place, ...row.values] })
      else others.push(row)
    }
    return [
      ...remembering(placed, addByPlace(placed.map(valuesOf)), ([row]) => readPlaces(row?.places)),
      ...remembering(others, byKey(others.map(valuesOf)), (given) => given.map(({ place }) => String(place))),
    ]
  }
}

const valuesOf = ({ values }: KeyedRow) => values

/** Of an array such as `{"(12,3)",NULL}`. */
const readPlaces = (text: unknown): (string | null)[] =>
  (String(text).match(/\(\d+,\d+\)|NULL/g) ?? []).map((place) => (place === 'NULL' ? null : place))

function next(before: Known | undefined, place: string): Known {
  if (before === undefined) return { place, unrest: 0, left: 0, run: firstRun }
  const { left, run } = before
  if (left > 0) return { ...before, place, left: left - 1 }
  const isMoved = pageOf(place) !== pageOf(before.place)
  const unrest = unrestAfter(before.unrest, isMoved)
  if (unrest === null) return { ...before, place, left: run, run: Math.min(maxRun, 4 * run) }
  return { place, unrest, left, run: isMoved || before.unrest > 0 ? run : firstRun }
}
