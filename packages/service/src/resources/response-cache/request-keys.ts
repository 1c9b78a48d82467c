import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/index.js'
import { type SealedLocation, type Secrets, undecryptable } from '../../secrets/index.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { findSealedKey, replaceSealedKey } from './store.js'

/** Returns the key with which a tenant's requests are hashed. */
export type RequestKeys = (tenantId: string) => Promise<Buffer>

const locationOf = (tenantId: string): SealedLocation => ({
  purpose: 'cache_keys.sealed',
  tenantId,
  rowId: tenantId,
})

const maxKnown = 10_000

/**
 * The key is created when it is first needed. If it can no longer be decrypted, the responses stored under it are
 * unreachable, and another key is created.
 */
export function createRequestKeys({ db, secrets }: { db: Db; secrets: Secrets }): RequestKeys {
  const known = new BoundedMap<string, Promise<Buffer>>(maxKnown)

  async function load(tenantId: string): Promise<Buffer> {
    const place = locationOf(tenantId)
    for (;;) {
      const before = await findSealedKey(db, tenantId)
      const opened = before && (await secrets.open(place, before))
      if (opened !== null && opened !== undecryptable) return opened
      await replaceSealedKey(db, tenantId, { before, sealed: await secrets.seal(place, randomBytes(32)) })
    }
  }

  return (tenantId) => {
    const loading = known.get(tenantId) ?? load(tenantId)
    known.set(tenantId, loading)
    loading.catch(() => known.delete(tenantId))
    return loading
  }
}
