import type { Entry } from '@tallystick/record/format'
import { priceEntryId } from '@tallystick/record/format'
import type { Price } from '@tallystick/record/pricing'
import type { Db } from '../../db/index.js'
import { type CallOwner, ownerText } from '../receipt-owner.js'

export interface StoredReceipt {
  seq: number
  canonical: string
  leaf_hash: Buffer
}

/** Newest first. Plan for one owner: a backward scan of `receipts_by_owner`. */
export async function listReceipts(
  db: Db,
  tenantId: string,
  { own, beforeSeq, limit }: { own: CallOwner | null; beforeSeq: number | null; limit: number },
): Promise<StoredReceipt[]> {
  let query = db
    .selectFrom('receipts')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('tenant_id', '=', tenantId)
  if (own !== null) query = query.where('owner', '=', ownerText(own))
  if (beforeSeq !== null) query = query.where('seq', '<', beforeSeq)
  return await query.orderBy('seq', 'desc').limit(limit).execute()
}

export async function findReceipt(db: Db, tenantId: string, seq: number): Promise<StoredReceipt | undefined> {
  return await db
    .selectFrom('receipts')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('tenant_id', '=', tenantId)
    .where('seq', '=', seq)
    .executeTakeFirst()
}

export async function readLeafHash(db: Db, tenantId: string, seq: number): Promise<Buffer | undefined> {
  return (await findReceipt(db, tenantId, seq))?.leaf_hash
}

/** The price that a receipt names; null when its entry was dropped from the record. */
export async function findPrice(db: Db, tenantId: string, hash: string): Promise<Price | null> {
  const row = await db
    .selectFrom('receipts')
    .select('canonical')
    .where('request_id', '=', priceEntryId(tenantId, hash))
    .executeTakeFirst()
  if (!row) return null
  const entry: Entry = JSON.parse(row.canonical)
  return entry.terms ?? null
}
