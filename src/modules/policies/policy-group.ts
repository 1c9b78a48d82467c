import type { CompiledPolicy } from './compiled-policy.js'
import type { TextFinder } from './kinds/judge.js'

interface Sorted {
  textPolicies: readonly CompiledPolicy[]
  finders: readonly TextFinder[]
  servicePolicies: readonly CompiledPolicy[]
}

/** Policies that apply to the same calls in the same phase, in the order in which they were created. */
export class PolicyGroup {
  readonly all: readonly CompiledPolicy[]
  #sorted: Sorted | undefined

  constructor(all: readonly CompiledPolicy[]) {
    this.all = all
  }

  /** Those that find something in texts. */
  get textPolicies(): readonly CompiledPolicy[] {
    return this.#sort().textPolicies
  }

  get finders(): readonly TextFinder[] {
    return this.#sort().finders
  }

  /** Those that ask a service outside of this process. */
  get servicePolicies(): readonly CompiledPolicy[] {
    return this.#sort().servicePolicies
  }

  /**
   * On the first call, since it compiles every policy, and only then: sorting for each call, judging one took 1.5 times as
   * long with five policies, twice as long with fifty.
   */
  #sort(): Sorted {
    this.#sorted ??= {
      textPolicies: this.all.filter(({ judge }) => judge.subject === 'text'),
      finders: findersOf(this.all),
      servicePolicies: this.all.filter(({ judge }) => judge.subject === 'service'),
    }
    return this.#sorted
  }
}

/** All finders that these policies have, each once. */
export function findersOf(policies: Iterable<CompiledPolicy>): TextFinder[] {
  const finders = new Set<TextFinder>()
  for (const { judge } of policies)
    if (judge.subject === 'text') for (const finder of judge.finders) finders.add(finder)
  return [...finders]
}

export const noPolicies = new PolicyGroup([])
