import { sql } from 'kysely'

const rowsPerInsert = 100_000

/**
 * Rows as large as receipts, of a tenant that does nothing: the table and its indexes are as deep as after so many
 * calls. Appending as many would take a quarter of an hour for ten million.
 */
export async function fillTable({ db }, rows) {
  const { rows: counted } = await /** @type {import('kysely').RawBuilder<{ count: number }>} */ (
    sql`select count(*)::int as count from receipts where tenant_id = 'filler'`
  ).execute(db)
  const count = counted[0]?.count ?? 0
  for (let from = count; from < rows; from += rowsPerInsert) {
    const to = Math.min(from + rowsPerInsert, rows)
    await sql`insert into receipts (tenant_id, seq, request_id, ts, canonical, leaf_hash, commitment_key)
      select 'filler', n, 'req_0' || lpad(n::text, 25, '0'), now(), repeat(md5(n::text), 30), sha256(n::text::bytea),
        sha256(n::text::bytea)
      from generate_series(${from + 1}::bigint, ${to}::bigint) n`.execute(db)
    await sql`insert into record_nodes (tenant_id, level, index, hash)
      select 'filler', 8, n, sha256(n::text::bytea)
      from generate_series(${Math.floor(from / 256)}::bigint, ${Math.floor(to / 256) - 1}::bigint) n
      on conflict do nothing`.execute(db)
  }
}
