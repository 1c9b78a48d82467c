import { sql } from 'kysely'
import type { Tx } from '../../db/index.js'
import { ownerOf } from './owner.js'

/**
 * Removes a person and their team as owners of references. The rows stay without an owner until they expire: where
 * a provider accepts any id, an unknown id would give everyone access to what the provider stores of that person.
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
