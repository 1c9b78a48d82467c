import type { KeyRow } from '../../db/index.js'
import type { Key } from './schema.js'
import type { KeyStatus } from './store.js'

function statusOf(row: KeyRow, nowMs: number): KeyStatus {
  if (row.revoked_at) return 'revoked'
  return row.expires_at && row.expires_at.getTime() <= nowMs ? 'expired' : 'active'
}

export function presentKey(row: KeyRow): Key {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    userId: row.user_id,
    teamId: row.team_id,
    rpmLimit: row.rpm_limit,
    tpmLimit: row.tpm_limit,
    allowedModels: row.allowed_models,
    allowedTools: row.allowed_tools,
    status: statusOf(row, Date.now()),
    hint: row.hint,
    metadata: row.metadata,
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }
}
