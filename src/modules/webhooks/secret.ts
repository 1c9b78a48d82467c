import { randomBytes } from 'node:crypto'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { EndpointRow } from './store.js'

export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** One purpose for the current and the previous one: a rotation moves the bytes without opening them. */
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
  'secret' | 'previous_secret' | 'previous_secret_until' | 'sealed_secret' | 'sealed_previous_secret'
>

/**
 * The secrets that sign now, newest first: the current one, and the previous one until its overlap ends. A previous one that
 * cannot be opened is left out: the current one is what the receiver was last given.
 */
export async function signingSecrets(
  secrets: Secrets,
  row: SecretColumns & { id: string; tenant_id: string },
  now: Date,
): Promise<string[] | typeof undecryptable> {
  const current = await readSecret(secrets, row, row.secret, row.sealed_secret)
  if (current === null) return undecryptable
  if (row.previous_secret_until === null || row.previous_secret_until <= now) return [current]
  const previous = await readSecret(secrets, row, row.previous_secret ?? '', row.sealed_previous_secret)
  return previous === null ? [current] : [current, previous]
}

/** Null if it cannot be opened. A plain one is newer: sealing empties its column, so a version without sealing wrote it. */
async function readSecret(
  secrets: Secrets,
  row: { id: string; tenant_id: string },
  plain: string,
  sealed: Buffer | null,
): Promise<string | null> {
  if (plain !== '') return plain
  const opened = sealed === null ? undecryptable : await secrets.open(placeOf(row), sealed)
  return opened === undecryptable ? null : opened.toString()
}

export type SecretStatus = 'ok' | typeof undecryptable

export async function secretStatusOf(
  secrets: Secrets,
  row: SecretColumns & { id: string; tenant_id: string },
): Promise<SecretStatus> {
  const current = await readSecret(secrets, row, row.secret, row.sealed_secret)
  return current === null ? undecryptable : 'ok'
}
