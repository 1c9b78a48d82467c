import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { Mark } from './mark.js'

/** How the database compares with one mark. */
export interface Comparison {
  mark: Mark
  state: 'agrees' | 'contradicted' | 'accepted'
  /** How many entries the record has now. */
  size: number
  /** How many entries that had been sealed when the mark was made are still in the record; null when that is unknown. */
  keptSize: number | null
  /** The entry about a restore that was accepted since the mark was made; null when there is none. */
  corrects: number | null
  /** When the last restore was accepted, whether before or after the mark; 0 for never. */
  acceptedMs: number
}

interface Row {
  place: number
  size: number
  leaf_hash: Buffer | null
  is_covered: boolean | null
  kept_size: number | null
  is_kept_unknown: boolean | null
  restore_seq: number | null
  accepted_at: Date | null
}

/**
 * Compares marks with the records of a database. A mark that the database contradicts is settled only when a restore was accepted after
 * it was made, and the record itself says that at least as many entries had been sealed.
 */
export async function compareMarks(db: Db, marks: readonly Mark[]): Promise<Comparison[]> {
  if (marks.length === 0) return []
  const { rows } = await sql<Row>`
    select m.place, h.size, r.leaf_hash, a.is_covered, a.kept_size, a.is_kept_unknown, a.restore_seq,
      (select max(accepted_at) from record_restores where tenant_id = m.tenant) as accepted_at
    from unnest(${marks.map(({ tenant }) => tenant)}::text[], ${marks.map(({ size }) => size)}::bigint[],
        ${marks.map(({ atMs }) => new Date(atMs).toISOString())}::timestamptz[])
      with ordinality as m (tenant, size, at, place)
    join record_heads h on h.tenant_id = m.tenant
    left join receipts r on r.tenant_id = m.tenant and r.seq = m.size
    cross join lateral (
      select bool_or(sealed_size >= m.size) as is_covered, min(kept_size) as kept_size,
        bool_or(kept_size is null) as is_kept_unknown, max(seq) as restore_seq
      from record_restores where tenant_id = m.tenant and accepted_at >= m.at) as a`.execute(db)
  return rows.flatMap((row) => {
    const mark = marks[row.place - 1]
    return mark ? compare(mark, row) : []
  })
}

function compare(mark: Mark, row: Row): Comparison {
  const state = !isContradicted(mark, row) ? 'agrees' : row.is_covered ? 'accepted' : 'contradicted'
  return {
    mark,
    state,
    size: row.size,
    keptSize: keptSizeOf(mark, row),
    corrects: row.restore_seq,
    acceptedMs: row.accepted_at?.getTime() ?? 0,
  }
}

function isContradicted({ size, last }: Mark, row: Row): boolean {
  if (row.size < size) return true
  // An entry that was dropped for its age, or a mark without a hash, can only be compared by size.
  return row.leaf_hash !== null && last !== null && row.leaf_hash.toString('hex') !== last
}

/** A record that went on growing after a restore that nobody noticed does not show where it was cut off. */
function keptSizeOf({ size }: Mark, row: Row): number | null {
  if (row.is_kept_unknown) return null
  if (row.kept_size !== null) return Math.min(row.kept_size, row.size)
  return row.size < size ? row.size : null
}
