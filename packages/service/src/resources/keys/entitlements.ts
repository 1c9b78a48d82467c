import type { Role } from '../../http/index.js'
import type { Scope } from '../../shared/spend-account.js'
import { defaultTagsOf, type Tags, tagScopesOf } from '../../shared/tags.js'
import type { IdentityRow } from './store.js'

/** What a key may use, and whose spend its calls count as. The gateway looks it up from the principal. */
export interface Entitlements {
  tenantId: string
  key: {
    id: string
    name: string
    /** The role in effect, as in the principal. */
    role: Role
    metadata: Readonly<Record<string, string>>
    /** The default labels of its calls. */
    tags: Tags
    rpmLimit: number | null
    tpmLimit: number | null
    /** The version of the tenant's limits at which the rate limits of this key began to apply. */
    limitsSince: number
    allowedModels: string[] | null
    /** Patterns of `server__tool`. */
    allowedTools: string[] | null
  }
  /** The key's owner. */
  user: {
    id: string
    name: string | null
    email: string | null
    role: Role | null
    suspended: boolean
    allowedModels: string[] | null
    allowedTools: string[] | null
    capNanos: number | null
  } | null
  /** The key's own team, or else its owner's. */
  team: { id: string; name: string | null; poolNanos: number | null; allowedTools: string[] | null } | null
}

export const toEntitlements = (row: IdentityRow, role: Role): Entitlements => ({
  tenantId: row.tenant_id,
  key: {
    id: row.id,
    name: row.name,
    role,
    metadata: row.metadata,
    tags: defaultTagsOf(row.metadata),
    rpmLimit: row.rpm_limit,
    tpmLimit: row.tpm_limit,
    limitsSince: row.limits_since,
    allowedModels: row.allowed_models,
    allowedTools: row.allowed_tools,
  },
  user:
    row.user_id === null
      ? null
      : {
          id: row.user_id,
          name: row.owner_name,
          email: row.owner_email,
          role: row.owner_role,
          suspended: row.owner_status === 'suspended',
          allowedModels: row.owner_allowed_models,
          allowedTools: row.owner_allowed_tools,
          capNanos: row.budget_cap_nanos,
        },
  team:
    row.team_id === null
      ? null
      : {
          id: row.team_id,
          name: row.team_name,
          poolNanos: row.budget_pool_nanos,
          allowedTools: row.team_allowed_tools,
        },
})

/** Returns the scopes in which the cost of a call is reserved and counted. */
export function spendScopesOf(
  { tenantId, key, user, team }: Entitlements,
  { session, tags }: { session: string | null; tags: Tags },
): Scope[] {
  const scopes: Scope[] = [['tenant', tenantId]]
  if (team) scopes.push(['team', team.id])
  if (user) scopes.push(['user', user.id])
  scopes.push(['key', key.id])
  if (session !== null) scopes.push(['session', session])
  for (const tag of tagScopesOf(tags)) scopes.push(['tag', tag])
  return scopes
}

/** Returns the scopes whose usage and spend a call adds to. */
export const scopeIdsOf = ({ tenantId, key, user, team }: Entitlements) => ({
  tenantId,
  keyId: key.id,
  userId: user?.id ?? null,
  teamId: team?.id ?? null,
})
