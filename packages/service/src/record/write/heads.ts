import type { RecordHead } from '@tallystick/record/format'
import { CompactRange } from '@tallystick/record/format'
import type { PipelinedConnection, Statement } from '../../db/index.js'
import { errorCode } from '../../shared/error-code.js'

/** A head with the place of its row, where the database finds it without looking for it. */
export interface PlacedHead extends RecordHead {
  place: string
}

export interface HeadRow {
  tenant_id: string
  place: string
  size: number
  prev: Buffer
  frontier: Buffer
}

const placedHead = ({ tenant_id, place, size, prev, frontier }: HeadRow): PlacedHead => ({
  tenant: tenant_id,
  place,
  prev,
  range: CompactRange.fromBuffer(size, frontier),
})

// Long enough to number, chain and sign a group on a busy machine; short enough that nobody minds when the writer is paused in it.
const turnMs = 300
const patienceMs = 100

const columns = 'tenant_id, ctid::text as place, size, prev, frontier'

/** Locks the heads until the end of the transaction. In the order of their ids, so that two replicas cannot deadlock. */
export const lockHeads = (tenantIds: readonly string[]): Statement => ({
  text: `select ${columns} from record_heads where tenant_id = any($1) order by tenant_id for no key update`,
  values: [tenantIds],
})

export const headsOf = (rows: readonly HeadRow[]): PlacedHead[] => rows.map(placedHead)

/** Where the records end, without a lock: another writer may move them at once. */
export async function readHeads(
  connection: PipelinedConnection,
  tenantIds: readonly string[],
): Promise<PlacedHead[]> {
  return headsOf(
    await connection.read<HeadRow>({
      name: 'read_heads',
      text: `select ${columns} from record_heads where tenant_id = any($1)`,
      values: [tenantIds],
    }),
  )
}

/** Waits until others have had their turns, and makes them wait for this writer for a moment. Null when it is to ask again. */
export async function takeTurns(
  connection: PipelinedConnection,
  tenantIds: readonly string[],
  writer: string,
): Promise<PlacedHead[] | null> {
  const rows = await connection.read<HeadRow>({
    name: 'take_turns',
    text: `select * from take_turns($1, $2, interval '${turnMs} milliseconds', interval '${patienceMs} milliseconds')`,
    values: [tenantIds, writer],
  })
  if (rows.length > 0) return headsOf(rows)
  // It is the turn of another one, unless there are no such records.
  return (await readHeads(connection, tenantIds)).length > 0 ? null : []
}

/**
 * Moves a head from where it is known to be. Fails if another writer was first, and then nothing of the transaction is written.
 * `writer` is null for one that has locked the head before. `onMoved` gets the new place once that is committed.
 */
export const moveHead = (
  from: PlacedHead,
  to: RecordHead,
  writer: string | null,
  onMoved: (head: PlacedHead) => void,
): Statement => ({
  name: 'move_head',
  text: 'select move_head($1, $2, $3, $4, $5, $6, $7, $8)::text as place',
  values: [
    from.tenant,
    from.place,
    from.range.size,
    from.prev,
    writer,
    to.range.size,
    to.prev,
    to.range.toBuffer(),
  ],
  onCommitted: ([row]) => onMoved({ ...to, place: String(row?.place) }),
})

/** Another writer has moved a head, or has its turn. */
export const isTooLate = (error: unknown): boolean => errorCode(error) === 'TSH01'
export const hasNoRecord = (error: unknown): boolean => errorCode(error) === 'TSH02'
