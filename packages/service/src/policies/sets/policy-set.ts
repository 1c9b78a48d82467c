import { createHash } from 'node:crypto'
import { type Changes, createTenantCache, type Db } from '../../db/index.js'
import { canonicalize } from '../../record/index.js'
import { BoundedMap } from '../../shared/bounded-map.js'
import { presentPolicy } from '../present.js'
import type { Policy } from '../schema.js'
import { listEnabledPolicies } from '../store.js'
import { type CompiledSet, compileSet } from './compile-set.js'
import type { CompiledPolicy } from './compiled-policy.js'

/** The enabled policies of a tenant, and the hash by which receipts refer to them. */
export interface PolicySet extends CompiledSet {
  tenantId: string
  hash: string
  policies: readonly Policy[]
}

export interface PolicySets {
  current(tenantId: string): Promise<PolicySet>
  /** Drops a tenant's set from the cache at once, on the replica that made the change. */
  forget(tenantId: string): void
}

type HashedPolicy = Pick<Policy, 'id' | 'version' | 'kind' | 'config' | 'scope' | 'phase' | 'action'>

/**
 * Returns the SHA-256 of the canonical JSON of every member that affects decisions, ordered by id. With a list of policies, anyone can
 * check whether a receipt was written under them.
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

const maxCompiled = 10_000

export function createPolicySets({ db, changes }: { db: Db; changes: Changes }): PolicySets {
  const cache = createTenantCache<PolicySet>(changes, ['policies'])
  /** The compiled policies of each tenant, reused for those that a change did not affect. */
  const compiled = new BoundedMap<string, ReadonlyMap<string, CompiledPolicy>>(maxCompiled)

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
