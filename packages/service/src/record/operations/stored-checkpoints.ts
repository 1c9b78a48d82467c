import { CompactRange, readCheckpoint } from '@tallystick/record/format'
import type { Mark } from '../marks/mark.js'

/** The newest checkpoint of a record, and whether it is the one over all stored entries. */
export interface StoredCheckpoint {
  tenant: string
  name: string
  size: number
  /** Null when the record is damaged: it ends elsewhere than its newest seal, or has another root. */
  note: string | null
  mark: Mark
}

interface Row {
  tenant: string
  name: string
  size: number
  prev: Buffer
  frontier: Buffer
  note: string | null
  sealed_at: Date | null
}

/** A connection to the database, which may have a snapshot. */
interface Connection {
  query<R extends object>(text: string): Promise<{ rows: R[] }>
}

/** Reads how far each record goes, with the signed checkpoint that says so. Records without entries are left out. */
export async function readStoredCheckpoints(connection: Connection): Promise<StoredCheckpoint[]> {
  const { rows } = await connection.query<Row>(
    `select h.tenant_id as tenant, t.name, h.size, h.prev, h.frontier, s.note, s.created_at as sealed_at
     from record_heads h join tenants t on t.id = h.tenant_id
     left join seals s on s.tenant_id = h.tenant_id and s.size = h.size
     where h.size > 0 order by h.tenant_id`,
  )
  return rows.map(({ tenant, name, size, prev, frontier, note, sealed_at }) => {
    const root = CompactRange.fromBuffer(size, frontier).root()
    const sealed = note === null ? null : readCheckpoint(note)
    const isWhole = sealed?.size === size && sealed.root.equals(root)
    const mark = { tenant, size, last: prev.toString('hex'), root: root.toString('hex') }
    const atMs = sealed_at?.getTime() ?? 0
    return { tenant, name, size, note: isWhole ? note : null, mark: { ...mark, atMs, acceptedMs: 0 } }
  })
}
