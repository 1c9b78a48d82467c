import { sql } from 'kysely'
import type { Tx } from '../../db/index.js'

/** Fields of members, keys, sessions and budget requests that contain personal data. */
const personalFields = ['name', 'email', 'metadata', 'reason', 'note', 'ip', 'userAgent']

/** Replaces an erased text that must not be empty. */
export const erasedText = '[erased]'

/**
 * Removes personal data from the entries about a person's member, keys, sessions and budget requests. The author,
 * row and time of each change are kept. Reads every entry of the tenant, because the details have no index.
 */
export async function redactAudit(
  tx: Tx,
  { tenantId, userId, email }: { tenantId: string; userId: string; email: string | null },
): Promise<void> {
  const withoutFields = (column: 'before' | 'after') => sql`case when ${sql.ref(column)} is not null then (
    select coalesce(jsonb_object_agg(key, case
      when key = any(${personalFields}::text[]) and value <> 'null' then to_jsonb(${erasedText}::text) else value end), '{}')
    from jsonb_each(${sql.ref(column)})) end`
  const isAbout = (column: 'before' | 'after') => sql`(${sql.ref(column)} ->> 'userId' = ${userId}
    or ${sql.ref(column)} -> 'requestedBy' ->> 'userId' = ${userId})`
  await sql`
    update audit_log set before = ${withoutFields('before')}, after = ${withoutFields('after')}
    where tenant_id = ${tenantId} and (
      (subject_type in ('member', 'user_limit') and subject_id = ${userId})
      or (subject_type = 'session' and (user_id = ${userId} or lower(after ->> 'email') = lower(${email})))
      or ${isAbout('before')} or ${isAbout('after')})`.execute(tx)
}
