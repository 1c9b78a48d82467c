import { randomBytes } from 'node:crypto'
import { type Changes, createTenantCache, type Db } from '../db/index.js'
import { type Secrets, undecryptable } from '../secrets/index.js'
import type { PolicyRow } from './store.js'

/** The secrets that sign the requests of `http` policies. */
export interface ServiceSecrets {
  /** Creates a secret. Returns it in clear text and sealed; the sealed form is stored with the policy. */
  create(tenantId: string, policyId: string): Promise<{ secret: string; sealed: Buffer }>
  secretOf(tenantId: string, policyId: string): Promise<string | typeof undecryptable>
  /** Returns null for a kind without a secret. */
  statusOf(row: SecretRow): Promise<SecretStatus | null>
}

type SecretRow = Pick<PolicyRow, 'id' | 'tenant_id' | 'kind' | 'sealed_secret'>
export type SecretStatus = 'ok' | typeof undecryptable

const locationOf = (tenantId: string, rowId: string) => ({ purpose: 'policies.secret', tenantId, rowId })

export function createServiceSecrets(options: {
  db: Db
  changes: Changes
  secrets: Secrets
}): ServiceSecrets {
  const { db, changes, secrets } = options
  // Secrets are cached in sealed form: one that cannot be decrypted now can be once its master key is back.
  const cache = createTenantCache<{ tenantId: string; sealed: Map<string, Buffer | null> }>(changes, [
    'policies',
  ])

  async function loadSealed(tenantId: string) {
    const rows = await db
      .selectFrom('policies')
      .select(['id', 'sealed_secret'])
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', 'http')
      .where('deleted_at', 'is', null)
      .execute()
    return { tenantId, sealed: new Map(rows.map(({ id, sealed_secret }) => [id, sealed_secret])) }
  }

  async function open(
    tenantId: string,
    policyId: string,
    sealed: Buffer | null,
  ): Promise<string | typeof undecryptable> {
    if (sealed === null) return undecryptable
    const opened = await secrets.open(locationOf(tenantId, policyId), sealed)
    return opened === undecryptable ? undecryptable : opened.toString()
  }

  return {
    async create(tenantId, policyId) {
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      return { secret, sealed: await secrets.seal(locationOf(tenantId, policyId), Buffer.from(secret)) }
    },
    async secretOf(tenantId, policyId) {
      const cached = await cache.get(tenantId, () => loadSealed(tenantId))
      // A policy that was created a moment ago may not be in the cache yet.
      const { sealed } = cached?.sealed.has(policyId) ? cached : await loadSealed(tenantId)
      return await open(tenantId, policyId, sealed.get(policyId) ?? null)
    },
    async statusOf({ id, tenant_id, kind, sealed_secret }) {
      if (kind !== 'http') return null
      return (await open(tenant_id, id, sealed_secret)) === undecryptable ? undecryptable : 'ok'
    },
  }
}

/** Lists the ids of policies whose secret cannot be decrypted. */
export async function listUndecryptablePolicies(db: Db, service: ServiceSecrets): Promise<string[]> {
  const rows = await db
    .selectFrom('policies')
    .select(['id', 'tenant_id', 'kind', 'sealed_secret'])
    .where('kind', '=', 'http')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const statuses = await Promise.all(rows.map((row) => service.statusOf(row)))
  return rows.flatMap(({ id }, index) => (statuses[index] === undecryptable ? [id] : []))
}
