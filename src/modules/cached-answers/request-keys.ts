import { randomBytes } from 'node:crypto'
import { BoundedMap } from '../../bounded-map.js'
import type { Db } from '../../db/index.js'
import { type SealedPlace, type Secrets, undecryptable } from '../../secrets/index.js'
import { findSealedKey, replaceSealedKey } from './store.js'

/** What a tenant's requests are hashed with. */
export type RequestKeys = (tenantId: string) => Promise<Buffer>

const placeOf = (tenantId: string): SealedPlace => ({
  purpose: 'cache_keys.sealed',
  tenantId,
  rowId: tenantId,
})

const maxKnown = 10_000

/** Made when it is first needed. With one that cannot be opened any more, what was stored under it is out of reach: another is made. */
export function createRequestKeys({ db, secrets }: { db: Db; secrets: Secrets }): RequestKeys {
  const known = new BoundedMap<string, Promise<Buffer>>(maxKnown)

  async function load(tenantId: string): Promise<Buffer> {
    const place = placeOf(tenantId)
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
