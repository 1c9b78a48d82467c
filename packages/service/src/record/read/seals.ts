import { readCheckpoint } from '@tallystick/record/format'
import type { Db } from '../../db/index.js'
import { ApiError } from '../../shared/errors.js'
import { readRecordSize } from './record-bounds.js'

/** A signed checkpoint as it is stored. */
export interface Seal {
  size: number
  note: string
}

/** The stored record is not what was sealed. Nothing is served then, since nobody could rely on it. */
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

/** Undefined for an empty record. Throws when no seal covers the whole record: newer ones were deleted. */
export async function findNewestSeal(db: Db, tenantId: string): Promise<Seal | undefined> {
  const size = await readRecordSize(db, tenantId)
  if (size === 0) return undefined
  const seal = await findSeal(db, tenantId, size)
  if (!seal) throw new RecordDamageError(size)
  return seal
}

/** The smallest seal that covers an entry: the seal of its group. */
export async function findCoveringSeal(db: Db, tenantId: string, seq: number): Promise<Seal | undefined> {
  return await selectSeals(db, tenantId).where('size', '>=', seq).orderBy('size').limit(1).executeTakeFirst()
}

export async function findSeal(db: Db, tenantId: string, size: number): Promise<Seal | undefined> {
  return (await findSeals(db, tenantId, [size]))[0]
}

export async function findSeals(db: Db, tenantId: string, sizes: readonly number[]): Promise<Seal[]> {
  return await selectSeals(db, tenantId).where('size', 'in', sizes).execute()
}

/** The root in a stored seal. Does not check the signature. */
export function sealedRoot({ size, note }: Seal): Buffer {
  const checkpoint = readCheckpoint(note)
  if (checkpoint?.size !== size) throw new RecordDamageError(size)
  return checkpoint.root
}

/** A checkpoint with who signed it, and when. */
export interface ListedSeal extends Seal {
  root: Buffer
  keyId: string
  createdAt: Date
}

/** Newest first, those of fewer entries than `before`. */
export async function listSeals(
  db: Db,
  tenantId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<ListedSeal[]> {
  let query = selectSeals(db, tenantId).select(['key_id as keyId', 'created_at as createdAt'])
  if (before !== null) query = query.where('size', '<', before)
  const rows = await query.orderBy('size', 'desc').limit(limit).execute()
  return rows.map((row) => ({ ...row, root: sealedRoot(row) }))
}
