import type { CompactRange, LeafRange, StoredNode } from '@tallystick/record/format'
import { type HashSpan, spansFor, TreeHashes } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'

/**
 * Reads the stored hashes that the roots over these ranges are computed from: a few range scans of primary keys, at
 * most some hundred rows for each stored level, however long the record is. `dropped` covers what is no longer stored.
 */
export async function readTreeHashes(
  db: Db,
  tenantId: string,
  ranges: readonly LeafRange[],
  dropped: CompactRange,
): Promise<TreeHashes> {
  const spans = spansFor(ranges, dropped.size)
  if (spans.length === 0) return new TreeHashes([], dropped)
  const parts = spans.map((span) => selectSpan(tenantId, span))
  const { rows } = await sql<StoredNode>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new TreeHashes(rows, dropped)
}

const selectSpan = (tenantId: string, { level, start, end }: HashSpan) =>
  level === 0
    ? sql`select 0 as level, seq - 1 as index, leaf_hash as hash from receipts
          where tenant_id = ${tenantId} and seq > ${start} and seq <= ${end}`
    : sql`select level::integer, index, hash from record_nodes
          where tenant_id = ${tenantId} and level = ${level} and index >= ${start} and index < ${end}`
