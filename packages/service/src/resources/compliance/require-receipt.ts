import type { Db } from '../../db/index.js'
import { isOwnedBy, type Owner } from '../../http/index.js'
import { type Entry, findReceipt, readRecordStart, type StoredReceipt } from '../../record/index.js'
import { notFound } from '../../shared/errors.js'
import { entriesDropped } from './require-kept.js'

/** Throws a 404 for an entry that does not exist, and the same for one that is not `own`. */
export async function requireReceipt(
  db: Db,
  tenantId: string,
  seq: number,
  own: Owner | null,
): Promise<StoredReceipt> {
  const row = await findReceipt(db, tenantId, seq)
  if (!row) {
    const { size } = (await readRecordStart(db, tenantId)).range
    throw seq <= size ? entriesDropped(size) : notFound(`receipt ${seq}`)
  }
  if (own !== null && !isOwnCall(JSON.parse(row.canonical), own)) throw notFound(`receipt ${seq}`)
  return row
}

/** A control entry names its author: it is about the record, and is nobody's call. */
const isOwnCall = ({ kind, user, key }: Entry, own: Owner): boolean =>
  kind !== 'control' && isOwnedBy(own, { userId: user ?? null, keyId: key ?? null })
