import { createHmac, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { type Changes, createTenantCache, type Db, inTransaction } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { PolicyRow } from './store.js'

/** What `http` policies sign their requests with. */
export interface ServiceSecrets {
  /** A new secret, and the same sealed, to be stored with the policy. */
  create(tenantId: string, policyId: string): Promise<{ secret: string; sealed: Buffer }>
  secretOf(tenantId: string, policyId: string): Promise<string | typeof undecryptable>
  /** Null for a kind that has none. */
  statusOf(row: SecretRow): Promise<SecretStatus | null>
}

type SecretRow = Pick<PolicyRow, 'id' | 'tenant_id' | 'kind' | 'sealed_secret'>
export type SecretStatus = 'ok' | typeof undecryptable

const placeOf = (tenantId: string, rowId: string) => ({ purpose: 'policies.secret', tenantId, rowId })
const rootPlace = { purpose: 'instance.guardrail_root', tenantId: '', rowId: 'instance' }

export function createServiceSecrets(options: {
  db: Db
  changes: Changes
  secrets: Secrets
}): ServiceSecrets {
  const { db, changes, secrets } = options
  // Sealed, as they are stored: what cannot be opened now can be when its key is back.
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
    if (sealed === null) return await deriveFromRoot(db, secrets, tenantId, policyId)
    const opened = await secrets.open(placeOf(tenantId, policyId), sealed)
    return opened === undecryptable ? undecryptable : opened.toString()
  }

  return {
    async create(tenantId, policyId) {
      const secret = `whsec_${randomBytes(32).toString('base64')}`
      return { secret, sealed: await secrets.seal(placeOf(tenantId, policyId), Buffer.from(secret)) }
    },
    async secretOf(tenantId, policyId) {
      const { sealed } =
        (await cache.get(tenantId, () => loadSealed(tenantId))) ?? (await loadSealed(tenantId))
      return await open(tenantId, policyId, sealed.get(policyId) ?? null)
    },
    async statusOf({ id, tenant_id, kind, sealed_secret }) {
      if (kind !== 'http') return null
      return (await open(tenant_id, id, sealed_secret)) === undecryptable ? undecryptable : 'ok'
    },
  }
}

/**
 * Before secrets were sealed, that of a policy was derived from its id and a root, the instance's `cursor_secret`. Such policies
 * keep their secret; the root is sealed.
 */
async function deriveFromRoot(
  db: Db,
  secrets: Secrets,
  tenantId: string,
  policyId: string,
): Promise<string | typeof undecryptable> {
  const { cursor_secret, sealed_guardrail_root } = await db
    .selectFrom('instance')
    .select(['cursor_secret', 'sealed_guardrail_root'])
    .executeTakeFirstOrThrow()
  const root = sealed_guardrail_root ? await secrets.open(rootPlace, sealed_guardrail_root) : cursor_secret
  if (root === undecryptable) return undecryptable
  const bytes = createHmac('sha256', root).update(`http policy\n${tenantId}\n${policyId}`).digest('base64')
  return `whsec_${bytes}`
}

/**
 * Seals the root, if a policy depends on it. `cursor_secret` becomes the hash of what it was: `readCursorKey` used that all along, so
 * the cursors of every replica stay valid.
 */
export async function sealGuardrailRoot(db: Db, secrets: Secrets): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { cursor_secret, sealed_guardrail_root } = await tx
      .selectFrom('instance')
      .select(['cursor_secret', 'sealed_guardrail_root'])
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (sealed_guardrail_root !== null) return
    const dependent = await tx
      .selectFrom('policies')
      .select('id')
      .where('kind', '=', 'http')
      .where('sealed_secret', 'is', null)
      .where('deleted_at', 'is', null)
      .limit(1)
      .execute()
    if (dependent.length === 0) return
    await tx
      .updateTable('instance')
      .set({
        sealed_guardrail_root: await secrets.seal(rootPlace, cursor_secret),
        cursor_secret: sql<Buffer>`sha256('cursors'::bytea || cursor_secret)`,
      })
      .execute()
  })
}

/** The ids of policies whose secret cannot be opened. */
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
