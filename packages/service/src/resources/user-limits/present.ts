import type { Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import { periodAt, readSpend } from '../budgets/index.js'
import type { MemberRow } from '../teams/index.js'
import type { UserLimit } from './schema.js'

/** Returns the limits without spend, for the audit log. */
export const describeUserLimit = (row: MemberRow) => ({
  userId: row.user_id,
  allowedModels: row.allowed_models,
  allowedTools: row.allowed_tools,
  budgetCapUsd: row.budget_cap_nanos === null ? null : toUsd(row.budget_cap_nanos),
  status: row.status,
  updatedAt: row.updated_at.toISOString(),
})

/** Presents limits with what each user has spent in the current month, according to the receipts. */
export async function presentUserLimits(
  db: Db,
  tenantId: string,
  rows: readonly MemberRow[],
  now = new Date(),
): Promise<UserLimit[]> {
  if (rows.length === 0) return []
  const month = periodAt('monthly', now)
  const spends = await readSpend(
    db,
    tenantId,
    rows.map((row) => ({ scopeType: 'user', scopeId: row.user_id, ...month })),
  )
  return rows.map((row, i) => ({
    ...describeUserLimit(row),
    spentUsd: toUsd(spends[i]?.spentNanos ?? 0),
    periodStart: new Date(month.startMs).toISOString(),
    periodEnd: new Date(month.endMs ?? month.startMs).toISOString(),
  }))
}
