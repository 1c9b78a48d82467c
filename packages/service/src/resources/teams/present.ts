import { toUsd } from '../../http/index.js'
import type { MemberRow } from './member-store.js'
import type { Member, Team } from './schema.js'
import type { TeamRow } from './store.js'

export function presentTeam(row: TeamRow): Team {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    name: row.name,
    budgetPoolUsd: toUsd(row.budget_pool_nanos),
    allowedTools: row.allowed_tools,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

export function presentMember(row: MemberRow): Member {
  return {
    userId: row.user_id,
    name: row.name,
    email: row.email,
    teamId: row.team_id,
    role: row.role,
    status: row.status,
    createdAt: row.created_at.toISOString(),
  }
}
