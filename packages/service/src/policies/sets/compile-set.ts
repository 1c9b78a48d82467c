import type { Policy } from '../schema.js'
import { type CompiledPolicy, compilePolicy } from './compiled-policy.js'
import { PolicyGroup } from './policy-group.js'

/** The policies that apply to one caller, grouped by phase. */
export interface Selection {
  all: readonly CompiledPolicy[]
  input: PolicyGroup
  output: PolicyGroup
}

interface Scopes {
  teamId: string | null
  userId: string | null
  keyId: string
}

export interface CompiledSet {
  /** Selects the policies of the tenant and of the caller's team, user and key. */
  selectFor(scopes: Scopes): Selection
}

/** The selections of so many keys are cached. When there are more, the cache is cleared. */
const maxCachedSelections = 10_000

/**
 * Compiles the policies of a tenant. `compiled` has the policies of the previous set: a policy with the same version is reused.
 */
export function compileSet(
  policies: readonly Policy[],
  compiled: ReadonlyMap<string, CompiledPolicy> = new Map(),
): CompiledSet & { byReference: Map<string, CompiledPolicy> } {
  const byReference = new Map<string, CompiledPolicy>()
  const scoped = policies.map((policy) => {
    const reference = `${policy.id}@${policy.version}`
    const ready = compiled.get(reference) ?? compilePolicy(policy, reference)
    byReference.set(reference, ready)
    return { scope: policy.scope, ready }
  })
  // Without this cache, judging a call took 1.5 times as long with five policies, 1.75 times with fifty.
  const cache = new Map<string, Scopes & { selection: Selection }>()
  // Most tenants have only tenant-wide policies, so that nothing needs to be cached for each key.
  const appliesToAll = scoped.every(({ scope }) => scope.type === 'tenant')
  const sharedSelection = select(scoped.map(({ ready }) => ready))

  return {
    byReference,
    selectFor({ teamId, userId, keyId }) {
      if (appliesToAll) return sharedSelection
      const known = cache.get(keyId)
      // A key can be given to another user or team.
      if (known && known.teamId === teamId && known.userId === userId) return known.selection
      const ids: Record<string, string | null> = { team: teamId, user: userId, key: keyId }
      const applicable = scoped.filter(({ scope }) => scope.type === 'tenant' || ids[scope.type] === scope.id)
      const selection = select(applicable.map(({ ready }) => ready))
      if (cache.size >= maxCachedSelections) cache.clear()
      cache.set(keyId, { teamId, userId, keyId, selection })
      return selection
    },
  }
}

export const select = (all: readonly CompiledPolicy[]): Selection => ({
  all,
  input: new PolicyGroup(all.filter(({ phase }) => phase !== 'output')),
  output: new PolicyGroup(all.filter(({ phase }) => phase !== 'input')),
})

/** Returns the policies that decide by the model alone. */
export function modelPoliciesOf({ all }: Selection): Selection {
  return select(all.filter(({ judge }) => judge.subject === 'model'))
}

/**
 * Returns the policies that judge tool calls: all except those about models and sizes. A policy about tools is asked before the call,
 * whatever its phase.
 */
export function toolPoliciesOf(selection: Selection): Selection {
  const known = toolSelections.get(selection)
  if (known) return known
  const all = selection.all
    .filter(({ judge }) => judge.subject !== 'model' && judge.subject !== 'size')
    .map((policy) => (policy.judge.subject === 'tools' ? withInputPhase(policy) : policy))
  const made = select(all)
  toolSelections.set(selection, made)
  return made
}

const toolSelections = new WeakMap<Selection, Selection>()

// A spread would read the getter `judge` and compile the policy, which must only happen on first use.
const withInputPhase = (policy: CompiledPolicy): CompiledPolicy =>
  Object.create(policy, { phase: { value: 'input', enumerable: true } })

/** Returns the policies that judge texts in this process, without asking a service. */
export function textPoliciesOf({ all }: Selection): Selection {
  return select(all.filter(({ judge }) => judge.subject === 'text'))
}

/** True when a policy about tools blocks every call of the tool with these names. */
export const blocksTool = (
  { all }: Selection,
  names: readonly string[],
  aliases: readonly string[],
): boolean =>
  all.some(
    ({ action, judge }) =>
      action === 'block' &&
      judge.subject === 'tools' &&
      judge.findObjection({ names, aliases, isReadable: true }) !== null,
  )

/** True when one of the policies may ask how many tokens the input has. */
export const readsInputTokens = ({ all }: Selection): boolean =>
  all.some(({ kind }) => kind === 'limits' || kind === 'expression')

/** True when the list of allowed tools of some policy includes this tool. */
export const grantsTool = ({ all }: Selection, name: string): boolean =>
  all.some(({ judge }) => judge.subject === 'tools' && judge.grants(name))

/** True when one of the policies blocks every call of the model with these names. */
export const blocksModel = ({ all }: PolicyGroup, names: readonly string[]): boolean =>
  all.some(({ action, judge }) => action === 'block' && judge.subject === 'model' && judge.forbids(names))
