import type { Db } from '../../db/index.js'
import { type Secrets, undecryptable } from '../../secrets/index.js'
import type { SinkRow } from './store.js'

/** What a destination needs and nobody can read again. */
export interface SinkSecrets {
  secretAccessKey?: string
  headers?: Record<string, string>
}

type SealedRow = Pick<SinkRow, 'id' | 'tenant_id' | 'sealed_secrets'>

const placeOf = ({ id, tenant_id }: Omit<SealedRow, 'sealed_secrets'>) => ({
  purpose: 'sinks.secrets',
  tenantId: tenant_id,
  rowId: id,
})

export async function sealSinkSecrets(
  secrets: Secrets,
  row: Omit<SealedRow, 'sealed_secrets'>,
  values: SinkSecrets,
): Promise<Buffer | null> {
  if (Object.keys(values).length === 0) return null
  return await secrets.seal(placeOf(row), Buffer.from(JSON.stringify(values)))
}

export async function openSinkSecrets(
  secrets: Secrets,
  row: SealedRow,
): Promise<SinkSecrets | typeof undecryptable> {
  if (row.sealed_secrets === null) return {}
  const opened = await secrets.open(placeOf(row), row.sealed_secrets)
  return opened === undecryptable ? undecryptable : JSON.parse(opened.toString())
}

/** Lists the sinks whose secrets cannot be decrypted. */
export async function listUndecryptableSinks(db: Db, secrets: Secrets): Promise<string[]> {
  const rows = await db
    .selectFrom('sinks')
    .select(['id', 'tenant_id', 'sealed_secrets'])
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const opened = await Promise.all(rows.map((row) => openSinkSecrets(secrets, row)))
  return rows.flatMap(({ id }, index) => (opened[index] === undecryptable ? [id] : []))
}
