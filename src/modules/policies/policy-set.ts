import { createHash } from 'node:crypto'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { canonicalize } from '../../ledger/index.js'
import { type CompiledPolicy, type CompiledSet, compileSet } from './compile-set.js'
import { presentPolicy } from './present.js'
import type { Policy } from './schema.js'
import { listEnabledPolicies } from './store.js'

/** The policies that judge a tenant's calls now, and the name by which a receipt says so. */
export interface PolicySet extends CompiledSet {
  tenantId: string
  hash: string
  policies: readonly Policy[]
}

export interface PolicySets {
  current(tenantId: string): Promise<PolicySet>
  /** Forgets a tenant's set at once, for the replica that made the change itself. */
  forget(tenantId: string): void
}

type HashedPolicy = Pick<Policy, 'id' | 'version' | 'kind' | 'config' | 'scope' | 'phase' | 'action'>

/**
 * SHA-256 over the canonical JSON of everything that decides, in the order of the ids: anyone who has the policies of
 * a moment can tell whether a receipt was written under them.
 */
export function policySetHash(policies: readonly HashedPolicy[]): string {
  const decisive = policies
    .map(({ id, version, kind, config, scope, phase, action }) => ({
      id,
      version,
      kind,
      config,
      scope,
      phase,
      action,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
  return createHash('sha256').update(canonicalize(decisive)).digest('hex')
}

export function createPolicySets({ db, changes }: { db: Db; changes: Changes }): PolicySets {
  const cache = createTenantCache<PolicySet>(changes, ['policies'])
  /** What each tenant's policies were made into last, for the set that comes after a change. */
  const compiled = new Map<string, ReadonlyMap<string, CompiledPolicy>>()

  async function load(tenantId: string): Promise<PolicySet> {
    const policies = (await listEnabledPolicies(db, tenantId)).map(presentPolicy)
    const { selectFor, byReference } = compileSet(policies, compiled.get(tenantId))
    compiled.set(tenantId, byReference)
    return { tenantId, hash: policySetHash(policies), policies, selectFor }
  }

  return {
    forget: cache.forget,
    current: async (tenantId) => (await cache.get(tenantId, () => load(tenantId))) ?? (await load(tenantId)),
  }
}
