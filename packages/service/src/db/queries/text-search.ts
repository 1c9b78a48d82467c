import { type RawBuilder, sql } from 'kysely'

/**
 * Returns a condition that is true when one of the columns contains a text, regardless of case. No index is used, so it is for lists of
 * some thousands of rows, such as the keys of a tenant.
 */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const parts = columns.map(
    (column) => sql`strpos(lower(coalesce(${sql.ref(column)}, '')), lower(${text})) > 0`,
  )
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}
