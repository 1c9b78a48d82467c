import type { Db } from '../../db/index.js'
import { ApiError } from '../../errors.js'
import { readCheckpoint } from '../format/checkpoint.js'
import { readRecordSize } from './record-bounds.js'

/** A signed checkpoint as it is stored. */
export interface Seal {
  size: number
  note: string
}

/** What is stored is not what was sealed. The caller is told, since nothing that is served from here could be believed. */
export class RecordDamageError extends ApiError {
  constructor(size: number) {
    super(
      'internal_error',
      `The stored record does not match what was sealed at ${size}; tallystick verify on an export finds the place`,
    )
  }
}

const selectSeals = (db: Db, tenantId: string) =>
  db.selectFrom('seals').select(['size', 'note']).where('tenant_id', '=', tenantId)

/** Undefined for an empty record. A seal over less than the whole record means that newer ones were taken away. */
export async function findNewestSeal(db: Db, tenantId: string): Promise<Seal | undefined> {
  const size = await readRecordSize(db, tenantId)
  if (size === 0) return undefined
  const seal = await findSeal(db, tenantId, size)
  if (!seal) throw new RecordDamageError(size)
  return seal
}

/** The smallest seal that covers an entry: the one of its group. */
export async function findCoveringSeal(db: Db, tenantId: string, seq: number): Promise<Seal | undefined> {
  return await selectSeals(db, tenantId).where('size', '>=', seq).orderBy('size').limit(1).executeTakeFirst()
}

export async function findSeal(db: Db, tenantId: string, size: number): Promise<Seal | undefined> {
  return (await findSeals(db, tenantId, [size]))[0]
}

export async function findSeals(db: Db, tenantId: string, sizes: readonly number[]): Promise<Seal[]> {
  return await selectSeals(db, tenantId).where('size', 'in', sizes).execute()
}

/** The root that a stored seal speaks of. Whether it is signed is for others to ask. */
export function sealedRoot({ size, note }: Seal): Buffer {
  const checkpoint = readCheckpoint(note)
  if (checkpoint?.size !== size) throw new RecordDamageError(size)
  return checkpoint.root
}
