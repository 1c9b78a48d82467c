import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { hashReference } from './hash.js'
import { ownerOf } from './owner.js'

/** Who names a reference. */
export interface ReferenceHolder {
  tenantId: string
  keyId: string
  userId: string | null
  teamId: string | null
}

/** One time that an id was issued. */
export interface IssuedReference {
  providerId: string
  /** To the one who asks, or to its team. */
  isOwn: boolean
  /** How many tokens are in an answer and all that it followed, and which model counted them; null when it is not known. */
  tokens: number | null
  model: string | null
}

export interface IssuedReferenceReader {
  /** By the hash of each reference, in hex, every time that it was issued. What was never issued here is missing. */
  find(
    references: readonly { kind: string; id: string }[],
    holder: ReferenceHolder,
  ): Promise<ReadonlyMap<string, readonly IssuedReference[]>>
}

export const createIssuedReferences = (db: Db): IssuedReferenceReader => ({
  async find(references, { tenantId, keyId, userId, teamId }) {
    const hashes = [...new Set(references.map(hashReference))]
    // Across tenants: providers of the configuration are shared, and what was issued to anyone else is refused.
    const { rows } = await sql<IssuedReference & { hash: string }>`
      select encode(id_hash, 'hex') as hash, provider_id as "providerId", tokens, model,
        tenant_id = ${tenantId} and (owner = ${ownerOf(userId, keyId)} or coalesce(team_id = ${teamId}, false)) as "isOwn"
      from issued_references
      where id_hash = any(select decode(hash, 'hex') from unnest(${hashes}::text[]) as hash)`.execute(db)
    const found = new Map<string, IssuedReference[]>()
    for (const { hash, ...issued } of rows) found.set(hash, [...(found.get(hash) ?? []), issued])
    return found
  },
})
