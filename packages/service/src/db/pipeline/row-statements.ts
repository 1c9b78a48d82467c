import type { Statement } from '../connection/database.js'

export interface RowStatements {
  /** The beginning of the names of the prepared statements. The number of rows is appended. */
  name: string
  /** The number of values in a row. */
  columns: number
  /** Returns the statement for some tuples. */
  text(tuples: string): string
  /** Returns a tuple for parameters such as `$1`. Default: the parameters in parentheses. */
  tuple?(parameters: readonly string[]): string
  /** Up to this many rows are written by one statement, whatever their number. For statements with small plans. */
  maxExactRows?: number
}

const maxRows = 64

const inParentheses = (parameters: readonly string[]): string => `(${parameters.join(', ')})`

/**
 * Returns a function that splits rows into statements of 64, 32, 16, … rows: few distinct statements, so that the server keeps the plan of
 * each. Their texts are cached, because creating one for 64 rows takes 120 µs, longer than serializing ten receipts.
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
      // `flat()` took longer than creating the rows.
      const values: unknown[] = []
      for (let row = start; row < start + count; row++) values.push(...(rows[row] ?? []))
      statements.push({ name: `${name}_${count}`, text: textFor(count), values })
      start += count
    }
    return statements
  }
}
