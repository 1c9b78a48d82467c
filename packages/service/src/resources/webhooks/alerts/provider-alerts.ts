import { sql } from 'kysely'
import { type Db, inTransaction } from '../../../db/index.js'
import { insertFound, lockAlerts } from './notify.js'

/** A credential that its provider rejects. */
export interface FailingCredential {
  /** The tenant of the provider; for a configured one the names of the tenants that may use it, null for all. */
  of: { tenantId: string } | { tenants: readonly string[] | null }
  providerId: string
  providerName: string
  credentialId: string
  status: number
  message: string
}

// Longer than the pause of a credential: replicas notice the same rejection one after the other, and it is reported
// once.
const reportedOnceWithin = '1 hour'

/** Notifies every affected tenant once, however many replicas notice. */
export async function recordFailingCredential(db: Db, failing: FailingCredential): Promise<void> {
  const { of, providerId, providerName, credentialId, status, message } = failing
  const key = `provider:${credentialId}`
  const data = {
    message: `${message} (provider "${providerName}")`,
    ...{ provider_id: providerId, provider_name: providerName, credential_id: credentialId, status },
  }
  const concerned =
    'tenantId' in of
      ? sql`t.id = ${of.tenantId}`
      : sql`(${of.tenants}::text[] is null or t.name = any(${of.tenants}::text[]))
          and not exists (
            select from providers p where p.tenant_id = t.id and p.name = ${providerName} and p.deleted_at is null)`
  const found = sql`found as (
      select t.id as tenant_id, ${key}::text as key, 'provider.failing' as event,
        now() + ${reportedOnceWithin}::interval as keep_until, ${JSON.stringify(data)}::text as data
      from tenants t where ${concerned})`
  await inTransaction(db, async (tx) => {
    await lockAlerts(tx)
    await sql`delete from webhook_occurrences where key = ${key} and keep_until < now()`.execute(tx)
    await sql`update alerts set key = key || ':past:' || id where key = ${key} and keep_until < now()`.execute(
      tx,
    )
    await insertFound(tx, found)
  })
}

export interface ReportedCredential {
  providerId: string
  providerName: string
  credentialId: string
  message: string
  at: Date
}

/**
 * Returns the rejections that a tenant was notified of since a time. Plan: a range of the unique index on the keys
 * of alerts.
 */
export async function listReportedCredentials(
  db: Db,
  tenantId: string,
  since: Date,
): Promise<ReportedCredential[]> {
  const { rows } = await sql<{ data: string; at: Date }>`
    select data, created_at as at from alerts
    where tenant_id = ${tenantId} and key >= 'provider:' and key < 'provider;' and created_at >= ${since}
    order by id desc limit 100`.execute(db)
  return rows.map(({ data, at }) => {
    const { message, provider_id, provider_name, credential_id } = JSON.parse(data)
    return { providerId: provider_id, providerName: provider_name, credentialId: credential_id, message, at }
  })
}
