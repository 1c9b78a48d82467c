import { sql } from 'kysely'
import type { Tx } from '../../db/index.js'
import { ownerOf } from './owner.js'

/**
 * Takes a person's references from them and their team. The rows stay without an owner until they expire: where a provider accepts
 * any id, one that is not known would open to everyone what the provider keeps of that person.
 */
export async function eraseReferences(
  tx: Tx,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<void> {
  await sql`
    with erased as (
      delete from issued_references where tenant_id = ${tenantId} and owner = ${ownerOf(userId, '')}
      returning id_hash, provider_id, tenant_id, created_at)
    insert into issued_references (id_hash, provider_id, tenant_id, owner, created_at)
    select id_hash, provider_id, tenant_id, '', created_at from erased
    on conflict do nothing`.execute(tx)
}
