import type { Generated, JSONColumnType } from 'kysely'
import type { CallerScopeType, ScopeType } from '../../shared/spend-account.js'

interface ManagedResourcesTable {
  id: string
  tenant_id: string
  set_name: string
  kind: string
  name: string
  resource_id: string | null
  state: 'applying' | 'applied'
  spec_hashes: JSONColumnType<Record<string, string>>
  state_hashes: JSONColumnType<Record<string, string>>
  revision: Generated<number>
  updated_by: string
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface PromptsTable {
  id: string
  tenant_id: string
  name: string
  description: Generated<string>
  versions: Generated<number>
  created_at: Generated<Date>
  deleted_at: Date | null
}

interface PromptVersionsTable {
  id: string
  tenant_id: string
  prompt_id: string
  version: number
  content: string
  created_at: Generated<Date>
}

interface PromptLabelsTable {
  tenant_id: string
  prompt_id: string
  label: string
  version_id: string | null
  updated_at: Generated<Date>
}

interface PoliciesTable {
  id: string
  tenant_id: string
  name: string
  description: Generated<string>
  kind: string
  config: JSONColumnType<Record<string, unknown>>
  scope_type: CallerScopeType
  scope_id: string
  phase: 'input' | 'output' | 'both'
  action: 'block' | 'redact' | 'flag'
  enabled: Generated<boolean>
  version: Generated<number>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
  sealed_secret: Buffer | null
}

interface BudgetsTable {
  id: string
  tenant_id: string
  name: string
  scope_type: ScopeType
  scope_id: string
  amount_nanos: number
  period: 'daily' | 'weekly' | 'monthly' | 'total'
  threshold_pct: Generated<number>
  action: Generated<'block' | 'alert'>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  deleted_at: Date | null
}

interface BudgetRequestsTable {
  id: string
  tenant_id: string
  budget_id: string
  amount_nanos: number
  reason: string
  status: Generated<'pending' | 'approved' | 'denied'>
  requested_key: string | null
  requested_user: string | null
  decided_key: string | null
  decided_user: string | null
  decided_at: Date | null
  note: string | null
  granted_nanos: number | null
  granted_period: Date | null
  created_at: Generated<Date>
}

interface SpendDaysTable {
  tenant_id: string
  scope_type: ScopeType
  scope_id: string
  day: string
  cost_nanos: number
}

interface UsageColumns {
  tenant_id: string
  key_id: string
  user_id: string
  team_id: string
  provider: string
  model: string
  requests: Generated<number>
  input_tokens: Generated<number>
  output_tokens: Generated<number>
  cost_nanos: Generated<number>
  blocked: Generated<number>
  rate_limited: Generated<number>
  errors: Generated<number>
  latency_ms: Generated<number>
  latency_buckets: Generated<string>
}

interface OutcomeAndTags {
  outcome: Generated<string>
  tags: Generated<Record<string, string>>
  tags_id: Generated<string>
}

interface AuditLogTable {
  id: string
  tenant_id: string
  at: Generated<Date>
  actor_type: 'key' | 'session' | 'operator'
  actor_id: string
  key_id: string | null
  user_id: string | null
  action: string
  subject_type: string
  subject_id: string
  before: JSONColumnType<object> | null
  after: JSONColumnType<object> | null
}

/** The tables of the management API. */
export interface ManagementTables {
  prompts: PromptsTable
  prompt_versions: PromptVersionsTable
  prompt_labels: PromptLabelsTable
  policies: PoliciesTable
  budgets: BudgetsTable
  budget_requests: BudgetRequestsTable
  folded_spend_days: SpendDaysTable
  folded_usage_hours: UsageColumns & OutcomeAndTags & { hour: Date }
  folded_usage_minutes: UsageColumns & { minute: Date }
  /** Read-only views that add the totals and the rows that are not folded yet. */
  spend_days: SpendDaysTable
  usage_hours: UsageColumns & OutcomeAndTags & { hour: Date }
  usage_days: UsageColumns & OutcomeAndTags & { day: Date }
  closed_usage_days: { tenant_id: string; day: Date; attempt: string | null }
  usage_minutes: UsageColumns & { minute: Date }
  audit_log: AuditLogTable
  managed_resources: ManagedResourcesTable
}
