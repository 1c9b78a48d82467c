import { type KindName, kinds } from './kinds/index.js'
import type { Judge, TextFinder } from './kinds/judge.js'
import type { Action, Phase } from './kinds/kind.js'
import type { Policy } from './schema.js'

/** A policy that is ready to judge. */
export interface CompiledPolicy {
  id: string
  version: number
  name: string
  kind: KindName
  phase: Phase
  action: Action
  /** As a receipt names it. */
  reference: string
  /** Made when it is first asked for: a set full of patterns takes a while, and the calls of others wait meanwhile. */
  readonly judge: Judge | { looksAt: 'nothing' }
}

/** The policies that apply to one caller, in the order in which they were made. */
export interface Selection {
  all: readonly CompiledPolicy[]
  input: readonly CompiledPolicy[]
  output: readonly CompiledPolicy[]
}

/** Those of some policies that look for something in texts, and those that are services outside of this process. */
export interface TextPolicies {
  finding: readonly CompiledPolicy[]
  /** All that they look with, each once. */
  finders: readonly TextFinder[]
  services: readonly CompiledPolicy[]
}

const sorted = new WeakMap<readonly CompiledPolicy[], TextPolicies>()

/** Sorted once for a selection, not for each call. */
export function sortPolicies(policies: readonly CompiledPolicy[]): TextPolicies {
  const known = sorted.get(policies)
  if (known) return known
  const finders = policies.flatMap(({ judge }) => (judge.looksAt === 'text' ? judge.finders : []))
  const made = {
    finding: policies.filter(({ judge }) => judge.looksAt === 'text'),
    finders: [...new Set(finders)],
    services: policies.filter(({ judge }) => judge.looksAt === 'service'),
  }
  sorted.set(policies, made)
  return made
}

export interface CompiledSet {
  /** Those of the tenant, and of the caller's team, user and key. */
  selectFor(scopes: { teamId: string | null; userId: string | null; keyId: string }): Selection
}

/** Callers whose selection is kept; beyond that, one has to be found again. */
const mostKept = 10_000

/**
 * `compiled` are those of the set before: a policy whose version is the same need not be compiled again.
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
  const kept = new Map<string, { teamId: string | null; userId: string | null; selection: Selection }>()
  const isForAll = scoped.every(({ scope }) => scope.type === 'tenant')
  const forAll = select(scoped.map(({ ready }) => ready))

  return {
    byReference,
    selectFor({ teamId, userId, keyId }) {
      if (isForAll) return forAll
      const known = kept.get(keyId)
      // A key can be given to another user or team.
      if (known && known.teamId === teamId && known.userId === userId) return known.selection
      const ids: Record<string, string | null> = { team: teamId, user: userId, key: keyId }
      const mine = scoped.filter(({ scope }) => scope.type === 'tenant' || ids[scope.type] === scope.id)
      const selection = select(mine.map(({ ready }) => ready))
      if (kept.size >= mostKept) kept.clear()
      kept.set(keyId, { teamId, userId, selection })
      return selection
    },
  }
}

const select = (all: readonly CompiledPolicy[]): Selection => ({
  all,
  input: all.filter(({ phase }) => phase !== 'output'),
  output: all.filter(({ phase }) => phase !== 'input'),
})

function compilePolicy(policy: Policy, reference: string): CompiledPolicy {
  const { id, version, name, kind, phase, action, config } = policy
  let judge: CompiledPolicy['judge'] | undefined
  return {
    id,
    version,
    name,
    kind,
    phase,
    action,
    reference,
    get judge() {
      judge ??= compileJudge(kind, config)
      return judge
    },
  }
}

/** One that cannot be made ready counts as failed with every call: leaving it out would leave calls ungoverned. */
function compileJudge(kind: KindName, config: unknown): CompiledPolicy['judge'] {
  try {
    return kinds[kind].compile(config)
  } catch {
    return { looksAt: 'nothing' }
  }
}

/** Whether one of the policies would refuse every call of a model. */
export const blocksModel = (policies: readonly CompiledPolicy[], names: readonly string[]): boolean =>
  policies.some(
    ({ action, judge }) => action === 'block' && judge.looksAt === 'model' && judge.forbids(names),
  )
