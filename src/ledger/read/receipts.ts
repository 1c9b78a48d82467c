import type { Db } from '../../db/index.js'

export interface StoredReceipt {
  seq: number
  canonical: string
  leaf_hash: Buffer
}

/** Newest first. */
export async function listReceipts(
  db: Db,
  tenantId: string,
  { beforeSeq, limit }: { beforeSeq: number | null; limit: number },
): Promise<StoredReceipt[]> {
  let query = db
    .selectFrom('receipts')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('tenant_id', '=', tenantId)
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
