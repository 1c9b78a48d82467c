import { type RawBuilder, sql } from 'kysely'

/**
 * Whether one of the columns has a text in it, in whatever case. It reads every row that the other conditions leave: for lists of some
 * thousands, such as the keys of a tenant.
 */
export function hasText(columns: readonly string[], text: string): RawBuilder<boolean> {
  const parts = columns.map(
    (column) => sql`strpos(lower(coalesce(${sql.ref(column)}, '')), lower(${text})) > 0`,
  )
  return sql<boolean>`(${sql.join(parts, sql` or `)})`
}
