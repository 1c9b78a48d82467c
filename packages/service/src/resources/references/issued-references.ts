import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import { hashReference } from './hash.js'
import { ownerOf } from './owner.js'

/** The caller that uses a reference. */
export interface ReferenceHolder {
  tenantId: string
  keyId: string
  userId: string | null
  teamId: string | null
}

/** One time that an id was issued. */
export interface IssuedReference {
  providerId: string
  /** True when it was issued to the caller or its team. */
  isOwn: boolean
  /**
   * The tokens of an answer and everything before it, and the model that counted them; null when it is not known.
   */
  tokens: number | null
  model: string | null
}

export interface IssuedReferenceReader {
  /**
   * Returns every issue of each reference, by its hash in hex. References that were never issued here are missing.
   */
  find(
    references: readonly { kind: string; id: string }[],
    holder: ReferenceHolder,
  ): Promise<ReadonlyMap<string, readonly IssuedReference[]>>
}

export const createIssuedReferences = (db: Db): IssuedReferenceReader => ({
  async find(references, { tenantId, keyId, userId, teamId }) {
    const hashes = [...new Set(references.map(hashReference))]
    // Reads across tenants: configured providers are shared, and references issued to anyone else are refused.
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
