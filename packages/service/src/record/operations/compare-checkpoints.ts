import {
  type Checkpoint,
  createCheckpointVerifiers,
  readCheckpoint,
  readPublicJwk,
  tenantOf,
  verifyCheckpoint,
} from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { conflict } from '../../shared/errors.js'
import { listPublicJwks } from '../keys/published-keys.js'
import type { RecordFault } from '../marks/record-marks.js'
import { hasRoot } from '../read/has-root.js'
import { readRecordSize } from '../read/record-bounds.js'

/**
 * Compares checkpoints from outside with the records. Returns those that the database contradicts, except checkpoints that an entry of the
 * record already names. Throws for a checkpoint that no key of this service signed.
 */
export async function findContradictedCheckpoints(
  db: Db,
  notes: readonly { name: string; note: string }[],
): Promise<RecordFault[]> {
  const keys = (await listPublicJwks(db)).map(readPublicJwk)
  const faults: RecordFault[] = []
  for (const { name, note } of notes) {
    const checkpoint = readCheckpoint(note)
    const tenant = checkpoint && tenantOf(checkpoint)
    if (!checkpoint || !tenant) throw conflict(`${name} is not a checkpoint of a record`)
    if (!verifyCheckpoint(note, tenant, createCheckpointVerifiers(tenant, keys)).ok)
      throw conflict(
        `${name} is not signed by a key of this service; tallystick signing-key list shows the keys`,
      )
    const fault = await compare(db, tenant, checkpoint)
    if (fault) faults.push(fault)
  }
  return faults
}

async function compare(db: Db, tenant: string, { size, root }: Checkpoint): Promise<RecordFault | null> {
  const recordSize = await readRecordSize(db, tenant)
  if (recordSize >= size && (await hasRoot(db, tenant, size, root))) return null
  const sealed = { size, last: null, root: root.toString('hex') }
  const earlier = await readRestores(db, tenant)
  if (earlier.some((each) => each.sealed_size === size && each.sealed_root === sealed.root)) return null
  return {
    ...{ tenant, sealed, size: recordSize, keptSize: keptSizeOf(size, recordSize, earlier) },
    ...{ corrects: earlier.at(-1)?.seq ?? null, atMs: 0 },
    message: `A checkpoint over ${size} entries of tenant ${tenant} does not match the record`,
  }
}

/** A checkpoint does not say when it was signed. Where it may be from before or after a restore, what was kept of it is unknown. */
function keptSizeOf(size: number, recordSize: number, earlier: readonly Restore[]): number | null {
  const [first, second] = earlier
  if (first === undefined) return recordSize < size ? recordSize : null
  return second === undefined && first.sealed_size < size ? first.kept_size : null
}

interface Restore {
  sealed_size: number
  sealed_root: string | null
  kept_size: number | null
  seq: number | null
}

/** Oldest first. */
async function readRestores(db: Db, tenant: string): Promise<Restore[]> {
  const { rows } = await sql<Restore>`
    select sealed_size, sealed_root, kept_size, seq from record_restores
    where tenant_id = ${tenant} order by accepted_at`.execute(db)
  return rows
}

/** Returns the fault of each record that concerns the most entries. */
export function largestFaultPerTenant(faults: readonly RecordFault[]): RecordFault[] {
  const most = new Map<string, RecordFault>()
  for (const fault of faults) {
    const other = most.get(fault.tenant)
    if (other === undefined || fault.sealed.size > other.sealed.size)
      most.set(fault.tenant, { ...fault, atMs: Math.max(fault.atMs, other?.atMs ?? 0) })
    else most.set(fault.tenant, { ...other, atMs: Math.max(fault.atMs, other.atMs) })
  }
  return [...most.values()]
}
