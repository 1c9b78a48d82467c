import { sql } from 'kysely'
import { type Db, inTransaction } from '../db/index.js'
import type { Principal } from '../http/index.js'
import { operatorOf } from '../modules/audit/index.js'
import { approveRequest, createRequest, denyRequest } from '../modules/budgets/index.js'
import { createKey, revokeKey } from '../modules/keys/index.js'
import { appendVersion, createPrompt, setLabel } from '../modules/prompts/index.js'
import { updateMemberRole } from '../modules/teams/index.js'
import { updateUserLimit } from '../modules/user-limits/index.js'
import { recordAlerts } from '../modules/webhooks/index.js'
import { auditor, managers, member, prompts, requests } from './furniture.js'
import type { DemoIds } from './receipts.js'
import type { Traffic } from './traffic.js'

/** The values of keys, shown this once. */
export interface DemoLogins {
  auditorKey: string
  memberKey: string
  member: string
}

const dayMs = 86_400_000

/** What a company has beside its calls: roles, prompts, requests. All of it is written as the API would, and then given its time. */
export async function furnishCompany(
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

/** Rows were made a moment ago; the company is older than its week, and changed things during it. */
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
  // In the order of their ids, which is the order of the log.
  await sql`update audit_log a set at = ${begin}::timestamptz
      + (${end}::timestamptz - ${begin}::timestamptz) * (o.place::float8 / (o.count + 1))
    from (select id, row_number() over (order by id) as place, count(*) over () as count
      from audit_log where tenant_id = ${tenantId}) o
    where a.id = o.id`.execute(db)
  await recordAlerts(db, end, [tenantId])
}
