import { mayCall, mayUseServer } from '../../calls/tool/index.js'
import type { Db } from '../../db/index.js'
import type { Principal } from '../../http/index.js'
import { type PolicySets, toolPoliciesOf } from '../../policies/index.js'
import { type createKeyIdentities, type Entitlements, scopeIdsOf } from '../../resources/keys/index.js'
import type { ToolAccess } from '../../resources/mcp-servers/index.js'
import { findMember, findTeam } from '../../resources/teams/index.js'

export interface ToolAccessParts {
  db: Db
  identities: Pick<ReturnType<typeof createKeyIdentities>, 'entitlementsOf'>
  policySets: PolicySets
}

/** Returns which tools a principal may call, by the same rules as the tool gateway. */
export const createToolAccess =
  ({ db, identities, policySets }: ToolAccessParts) =>
  async (principal: Principal): Promise<ToolAccess> => {
    const entitlements =
      principal.keyId === null
        ? await entitlementsOfUser(db, principal)
        : await identities.entitlementsOf(principal)
    if (entitlements === null) return { mayUse: () => false, mayCall: () => false }
    const policySet = await policySets.current(principal.tenantId)
    const selection = toolPoliciesOf(policySet.selectFor(scopeIdsOf(entitlements)))
    const rights = { entitlements, selection }
    return {
      mayUse: (server) => mayUseServer(server, rights),
      mayCall: (server, tool) => mayCall(server, tool, rights),
    }
  }

/** A person who signed in without a key has the entitlements of the user and the team, like a key without limits of its own. */
async function entitlementsOfUser(
  db: Db,
  { tenantId, userId, role }: Principal,
): Promise<Entitlements | null> {
  const user = userId === null ? undefined : await findMember(db, tenantId, userId)
  if (!user) return null
  const team = user.team_id === null ? undefined : await findTeam(db, tenantId, user.team_id)
  return {
    tenantId,
    key: {
      ...{ id: '', name: '', role, metadata: {}, tags: {} },
      ...{ rpmLimit: null, tpmLimit: null, limitsSince: 0, allowedModels: null, allowedTools: null },
    },
    user: {
      ...{ id: user.user_id, name: user.name, email: user.email, role: user.role },
      suspended: user.status === 'suspended',
      allowedModels: user.allowed_models,
      allowedTools: user.allowed_tools,
      capNanos: user.budget_cap_nanos,
    },
    team: team
      ? {
          ...{ id: team.id, name: team.name, poolNanos: team.budget_pool_nanos },
          allowedTools: team.allowed_tools,
        }
      : null,
  }
}
