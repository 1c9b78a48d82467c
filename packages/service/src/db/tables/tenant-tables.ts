import type { Generated, Selectable } from 'kysely'

type Role = 'member' | 'auditor' | 'manager'

interface TenantsTable {
  id: string
  name: string
  created_at: Generated<Date>
}

interface MembersTable {
  tenant_id: string
  user_id: string
  name: string | null
  email: string | null
  team_id: string | null
  role: Generated<Role>
  status: Generated<'active' | 'suspended'>
  allowed_models: string[] | null
  allowed_tools: string[] | null
  budget_cap_nanos: number | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  removed_at: Date | null
}

interface TeamsTable {
  id: string
  tenant_id: string
  name: string
  budget_pool_nanos: number
  allowed_tools: string[] | null
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface KeysTable {
  id: string
  tenant_id: string
  name: string
  role: Generated<Role>
  user_id: string | null
  team_id: string | null
  rpm_limit: number | null
  limits_since: Generated<number>
  tpm_limit: number | null
  allowed_models: string[] | null
  allowed_tools: string[] | null
  hash: Buffer
  hint: string
  metadata: Generated<Record<string, string>>
  created_at: Generated<Date>
  created_by: string
  expires_at: Date | null
  last_used_at: Date | null
  revoked_at: Date | null
}

export type KeyRow = Selectable<KeysTable>

export interface TenantTables {
  tenants: TenantsTable
  teams: TeamsTable
  members: MembersTable
  keys: KeysTable
}
