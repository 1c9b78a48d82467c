import { randomBytes } from 'node:crypto'
import type { Db } from '../../../db/index.js'
import { type Secrets, undecryptable } from '../../../secrets/index.js'
import type { EndpointRow } from './store.js'

export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** One purpose for the current and the previous secret: a rotation moves the bytes without decrypting them. */
const placeOf = ({ id, tenant_id }: { id: string; tenant_id: string }) => ({
  purpose: 'webhook_endpoints.secret',
  tenantId: tenant_id,
  rowId: id,
})

export const sealSecret = (
  secrets: Secrets,
  endpoint: { id: string; tenant_id: string },
  secret: string,
): Promise<Buffer> => secrets.seal(placeOf(endpoint), Buffer.from(secret))

export type SecretColumns = Pick<
  EndpointRow,
  'sealed_secret' | 'sealed_previous_secret' | 'previous_secret_until'
>

/**
 * Returns the secrets that sign now, newest first: the current one, and the previous one until its overlap ends. A
 * previous one that cannot be decrypted is left out, because the receiver was last given the current one.
 */
export async function signingSecrets(
  secrets: Secrets,
  row: SecretColumns & { id: string; tenant_id: string },
  now: Date,
): Promise<string[] | typeof undecryptable> {
  const current = await readSecret(secrets, row, row.sealed_secret)
  if (current === null) return undecryptable
  if (row.previous_secret_until === null || row.previous_secret_until <= now) return [current]
  const previous = await readSecret(secrets, row, row.sealed_previous_secret)
  return previous === null ? [current] : [current, previous]
}

/** Returns null if it cannot be decrypted. */
async function readSecret(
  secrets: Secrets,
  row: { id: string; tenant_id: string },
  sealed: Buffer | null,
): Promise<string | null> {
  const opened = sealed === null ? undecryptable : await secrets.open(placeOf(row), sealed)
  return opened === undecryptable ? null : opened.toString()
}

export type SecretStatus = 'ok' | typeof undecryptable

export async function secretStatusOf(
  secrets: Secrets,
  row: SecretColumns & { id: string; tenant_id: string },
): Promise<SecretStatus> {
  const current = await readSecret(secrets, row, row.sealed_secret)
  return current === null ? undecryptable : 'ok'
}

/** Lists the endpoints whose secret cannot be decrypted. */
export async function listUndecryptableEndpoints(db: Db, secrets: Secrets): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['id', 'tenant_id', 'sealed_secret', 'sealed_previous_secret', 'previous_secret_until'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const statuses = await Promise.all(rows.map((row) => secretStatusOf(secrets, row)))
  return rows.flatMap(({ id }, index) => (statuses[index] === undecryptable ? [id] : []))
}
