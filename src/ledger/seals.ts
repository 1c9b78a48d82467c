import type { Db } from '../db/index.js'
import { ApiError } from '../errors.js'
import { parseCheckpoint } from './checkpoint.js'
import { parseNote } from './note.js'

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
      `The stored record does not match its seal at ${size}; tallystick verify on an export finds the place`,
    )
  }
}

const selectSeals = (db: Db, tenantId: string) =>
  db.selectFrom('seals').select(['size', 'note']).where('tenant_id', '=', tenantId)

export async function findNewestSeal(db: Db, tenantId: string): Promise<Seal | undefined> {
  return await selectSeals(db, tenantId).orderBy('size', 'desc').limit(1).executeTakeFirst()
}

export async function findSeals(db: Db, tenantId: string, sizes: readonly number[]): Promise<Seal[]> {
  return await selectSeals(db, tenantId).where('size', 'in', sizes).execute()
}

/** The root that a stored seal speaks of. Whether it is signed is for others to ask. */
export function sealedRoot({ size, note }: Seal): Buffer {
  const text = parseNote(note)?.text
  const checkpoint = text === undefined ? null : parseCheckpoint(text)
  if (checkpoint?.size !== size) throw new RecordDamageError(size)
  return checkpoint.root
}
