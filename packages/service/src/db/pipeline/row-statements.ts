import type { Statement } from '../connection/database.js'

export interface RowStatements {
  /** Of the prepared statements, before the number of rows. */
  name: string
  /** The columns that a row has values for. */
  columns: number
  /** The statement around its tuples. */
  text(tuples: string): string
  /** One tuple from the places of its values; by default those, in parentheses. */
  tuple?(places: readonly string[]): string
  /** Up to so many rows are one statement, whatever their number: for statements whose plans are small. */
  maxExactRows?: number
}

const maxRows = 64

const inParentheses = (places: readonly string[]): string => `(${places.join(', ')})`

/**
 * Writes rows 64, 32, 16, … at a time: few distinct statements, so that each keeps its plan on the server. Their texts are kept:
 * writing one for 64 rows takes 120 µs, longer than serialising ten receipts.
 */
export function createRowStatements({
  name,
  columns,
  text,
  tuple = inParentheses,
  maxExactRows = 0,
}: RowStatements): (rows: readonly (readonly unknown[])[]) => Statement[] {
  // Bounded: powers of two up to the largest group.
  const texts = new Map<number, string>()

  function textFor(rows: number): string {
    const known = texts.get(rows)
    if (known !== undefined) return known
    const tuples = Array.from({ length: rows }, (_, row) =>
      tuple(Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`)),
    )
    const written = text(tuples.join(', '))
    texts.set(rows, written)
    return written
  }

  return (rows) => {
    const statements: Statement[] = []
    for (let start = 0; start < rows.length; ) {
      const left = rows.length - start
      const count = left <= maxExactRows ? left : Math.min(maxRows, 2 ** Math.floor(Math.log2(left)))
      // Not `flat()`, which took longer than making the rows.
      const values: unknown[] = []
      for (let row = start; row < start + count; row++) values.push(...(rows[row] ?? []))
      statements.push({ name: `${name}_${count}`, text: textFor(count), values })
      start += count
    }
    return statements
  }
}
