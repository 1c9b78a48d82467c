import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/index.js'
import type { Principal } from '../../http/index.js'
import { operatorOf } from '../../resources/audit/index.js'
import { approveRequest, createRequest, denyRequest } from '../../resources/budgets/index.js'
import { createKey, revokeKey } from '../../resources/keys/index.js'
import { appendVersion, createPrompt, setLabel } from '../../resources/prompts/index.js'
import { updateMemberRole } from '../../resources/teams/index.js'
import { updateUserLimit } from '../../resources/user-limits/index.js'
import { recordAlerts } from '../../resources/webhooks/index.js'
import { auditor, managers, member, prompts, requests } from '../company/prompts-and-requests.js'
import type { Traffic } from '../traffic/traffic.js'
import type { DemoIds } from './receipts.js'

/** The values of keys, which are shown once. */
export interface DemoLogins {
  auditorKey: string
  memberKey: string
  member: string
}

const dayMs = 86_400_000

/** Creates what a company has besides calls: roles, prompts, requests. It is written as the API would, and then given earlier times. */
export async function fillCompany(
  db: Db,
  traffic: Traffic,
  ids: DemoIds,
  managerKeyId: string,
): Promise<DemoLogins> {
  const { tenantId } = ids
  const operator = operatorOf(tenantId)
  const logins = await inTransaction(db, async (tx) => {
    for (const userId of managers) await updateMemberRole(tx, operator, userId, 'manager')
    await updateMemberRole(tx, operator, auditor, 'auditor')
    const ofAuditor = await createKey(tx, operator, {
      name: 'Audit, read only',
      role: 'auditor',
      userId: auditor,
      allowedModels: [],
    })
    const ofMember = await createKey(tx, operator, { name: 'Console', userId: member })
    const old = await createKey(tx, operator, {
      name: 'heron-review (before the rotation)',
      teamId: ids.teamId('Platform'),
    })
    await revokeKey(tx, { ...operator, keyId: managerKeyId }, old.row.id)
    await updateUserLimit(tx, operator, 'kaya.brightwell', { budgetCapUsd: 150 })
    await updateUserLimit(tx, operator, 'wanda.kestrelby', { allowedModels: ['gpt-6*', 'gemini-*'] })
    await updateUserLimit(tx, operator, 'former.contractor', { status: 'suspended' })
    return { auditorKey: ofAuditor.value, memberKey: ofMember.value, member }
  })
  const manager = { ...operator, keyId: managerKeyId, userId: managers[0] }
  await inTransaction(db, async (tx) => {
    for (const { name, description, versions, labels } of prompts) {
      const { id } = await createPrompt(tx, manager, { name, description })
      const made = []
      for (const content of versions) made.push(await appendVersion(tx, manager, { promptId: id, content }))
      for (const [label, version] of Object.entries(labels))
        await setLabel(tx, manager, { promptId: id, label, versionId: made[version - 1]?.id ?? '' })
    }
  })
  await fileRequests(db, ids, manager, traffic.span.toMs)
  return logins
}

async function fileRequests(
  db: Db,
  { tenantId, budgetId }: DemoIds,
  manager: ReturnType<typeof operatorOf>,
  nowMs: number,
): Promise<void> {
  for (const { budget, userId, amountUsd, daysAgo, reason, decision, grantedUsd, note } of requests) {
    const asker: Principal = {
      tenantId,
      role: 'member',
      userId,
      keyId: null,
      sessionId: null,
      suspended: false,
    }
    const wish = { budgetId: budgetId(budget), amountUsd, reason }
    const { id } = await createRequest(db, asker, wish, async () => undefined)
    const filedAt = new Date(nowMs - daysAgo * dayMs)
    const decidedAt = new Date(filedAt.getTime() + 0.07 * dayMs)
    if (decision === 'approved')
      await approveRequest(db, manager, id, { amountUsd: grantedUsd, ...(note !== null && { note }) })
    if (decision === 'denied') await denyRequest(db, manager, id)
    await sql`update budget_requests set created_at = ${filedAt},
      decided_at = case when decided_at is null then null else ${decidedAt}::timestamptz end
      where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  }
}

/** Gives rows earlier times: they were created a moment ago, but the company is older and made changes during its week. */
export async function giveTimes(db: Db, { span }: Traffic, { tenantId }: DemoIds): Promise<void> {
  const founded = new Date(span.fromMs - 40 * dayMs)
  const begin = new Date(span.fromMs)
  const end = new Date(span.toMs)
  for (const table of ['teams', 'members', 'budgets', 'policies', 'providers', 'routes', 'mcp_servers'])
    await sql`update ${sql.table(table)} set created_at = ${founded}, updated_at = ${founded}
      where tenant_id = ${tenantId}`.execute(db)
  for (const table of ['keys', 'prompts', 'provider_credentials'])
    await sql`update ${sql.table(table)} set created_at = ${founded} where tenant_id = ${tenantId}`.execute(
      db,
    )
  await sql`update prompt_versions v set created_at = ${begin}::timestamptz
      + (${end}::timestamptz - ${begin}::timestamptz) * (v.version::float8 / 6)
    from prompts p where p.id = v.prompt_id and p.tenant_id = ${tenantId}`.execute(db)
  await sql`update keys k set last_used_at = c.last
    from (select key_id, max(ts) as last from calls where tenant_id = ${tenantId} group by key_id) c
    where k.tenant_id = ${tenantId} and k.id = c.key_id`.execute(db)
  // The order of the ids is the order of the log.
  await sql`update audit_log a set at = ${begin}::timestamptz
      + (${end}::timestamptz - ${begin}::timestamptz) * (o.place::float8 / (o.count + 1))
    from (select id, row_number() over (order by id) as place, count(*) over () as count
      from audit_log where tenant_id = ${tenantId}) o
    where a.id = o.id`.execute(db)
  await recordAlerts(db, end, [tenantId])
}
