import { sql } from 'kysely'

const tables = ['receipts', 'record_nodes', 'seals', 'calls', 'usage_deltas']

/**
 * What each table takes with its indexes and what is stored out of line, in bytes per receipt. Partitions count with their table.
 * @param {{ db: import('../../packages/service/src/db/index.js').Db }} place
 * @returns {Promise<{ receipts: number, bytes: { table: string, heap: number, indexes: number }[] }>}
 */
export async function measureBytes({ db }) {
  const { rows } = await /** @type {import('kysely').RawBuilder<{ count: number }>} */ (
    sql`select count(*)::int as count from receipts`
  ).execute(db)
  const receipts = rows[0]?.count ?? 0
  const bytes = []
  for (const table of tables) {
    const { rows } = await /** @type {import('kysely').RawBuilder<{ heap: number, indexes: number }>} */ (
      sql`select sum(pg_table_size(relid))::float8 as heap, sum(pg_indexes_size(relid))::float8 as indexes
        from (select ${table}::regclass as relid union select relid::regclass from pg_partition_tree(${table})) parts`
    ).execute(db)
    const { heap = 0, indexes = 0 } = rows[0] ?? {}
    bytes.push({ table, heap: heap / receipts, indexes: indexes / receipts })
  }
  return { receipts, bytes }
}
