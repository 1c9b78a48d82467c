import { type Selectable, sql } from 'kysely'
import type { Db, Tables, Tx } from '../../db/index.js'
import type { Pack } from './pack-file.js'

export type PackRow = Selectable<Tables['tenant_packs']>

/** Ordered by framework. */
export async function listActivePacks(db: Db, tenantId: string): Promise<PackRow[]> {
  return await db
    .selectFrom('tenant_packs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy(sql`framework collate "C"`)
    .execute()
}

/** Serialises changes to a tenant's packs: the list in the record must be the list that is active. */
export async function lockRecordHead(tx: Tx, tenantId: string): Promise<void> {
  await tx
    .selectFrom('record_heads')
    .select('size')
    .where('tenant_id', '=', tenantId)
    .forUpdate()
    .executeTakeFirst()
}

export async function upsertPack(tx: Tx, tenantId: string, { content, ...pack }: Pack): Promise<void> {
  const columns = {
    version: content.version,
    source: pack.source,
    canonical: pack.canonical,
    pack_hash: pack.hash,
    activated_at: sql<Date>`clock_timestamp()`,
  }
  await tx
    .insertInto('tenant_packs')
    .values({ tenant_id: tenantId, framework: content.framework, ...columns })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'framework']).doUpdateSet(columns))
    .execute()
}

export async function deletePack(tx: Tx, tenantId: string, framework: string): Promise<void> {
  await tx
    .deleteFrom('tenant_packs')
    .where('tenant_id', '=', tenantId)
    .where('framework', '=', framework)
    .execute()
}
