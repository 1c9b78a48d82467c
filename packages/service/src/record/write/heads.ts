import type { RecordHead } from '@tallystick/record/format'
import { CompactRange } from '@tallystick/record/format'
import type { PipelinedConnection, Statement } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'

/** A head with the `ctid` of its row, with which the database finds the row without an index. */
export interface StoredHead extends RecordHead {
  ctid: string
}

export interface HeadRow {
  tenant_id: string
  place: string
  size: number
  prev: Buffer
  frontier: Buffer
}

const toStoredHead = ({ tenant_id, place, size, prev, frontier }: HeadRow): StoredHead => ({
  tenant: tenant_id,
  ctid: place,
  prev,
  range: CompactRange.fromBuffer(size, frontier),
})

// Long enough to number, chain and sign a group on a busy machine, and short enough that a paused writer does not delay others for long.
const leaseMs = 300
const maxWaitMs = 100

const columns = 'tenant_id, ctid::text as place, size, prev, frontier'

/** Locks the heads until the end of the transaction. They are locked in the order of their ids, so that two replicas cannot deadlock. */
export const lockHeads = (tenantIds: readonly string[]): Statement => ({
  text: `select ${columns} from record_heads where tenant_id = any($1) order by tenant_id for no key update`,
  values: [tenantIds],
})

export const headsOf = (rows: readonly HeadRow[]): StoredHead[] => rows.map(toStoredHead)

/** Reads heads without a lock. Another writer may move them at any time. */
export async function readHeads(
  connection: PipelinedConnection,
  tenantIds: readonly string[],
): Promise<StoredHead[]> {
  return headsOf(
    await connection.read<HeadRow>({
      name: 'read_heads',
      text: `select ${columns} from record_heads where tenant_id = any($1)`,
      values: [tenantIds],
    }),
  )
}

/** Leases the heads to this writer for a moment, after the writers that asked before. Null when the caller must try again. */
export async function leaseHeads(
  connection: PipelinedConnection,
  tenantIds: readonly string[],
  writer: string,
): Promise<StoredHead[] | null> {
  const rows = await connection.read<HeadRow>({
    name: 'take_turns',
    text: `select * from take_turns($1, $2, interval '${leaseMs} milliseconds', interval '${maxWaitMs} milliseconds')`,
    values: [tenantIds, writer],
  })
  if (rows.length > 0) return headsOf(rows)
  // Another writer has the lease, unless there are no such records.
  return (await readHeads(connection, tenantIds)).length > 0 ? null : []
}

/**
 * Moves a head. Fails, and rolls back the whole transaction, when the head is not at `from` because another writer has moved it. `writer`
 * is null for a caller that has locked the head. `onMoved` is called with the new head after the commit.
 */
export const moveHead = (
  from: StoredHead,
  to: RecordHead,
  writer: string | null,
  onMoved: (head: StoredHead) => void,
): Statement => ({
  name: 'move_head',
  text: 'select move_head($1, $2, $3, $4, $5, $6, $7, $8)::text as place',
  values: [
    from.tenant,
    from.ctid,
    from.range.size,
    from.prev,
    writer,
    to.range.size,
    to.prev,
    to.range.toBuffer(),
  ],
  onCommitted: ([row]) => onMoved({ ...to, ctid: String(row?.place) }),
})

/** Returns whether another writer has moved or leased the head. */
export const isHeadMoved = (error: unknown): boolean => errorCode(error) === 'TSH01'
export const isRecordMissing = (error: unknown): boolean => errorCode(error) === 'TSH02'
