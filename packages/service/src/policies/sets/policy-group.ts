import type { TextFinder } from '../kinds/judge.js'
import type { CompiledPolicy } from './compiled-policy.js'

interface PoliciesBySubject {
  textPolicies: readonly CompiledPolicy[]
  finders: readonly TextFinder[]
  servicePolicies: readonly CompiledPolicy[]
}

/** The policies that apply to the same calls in the same phase, in the order of their creation. */
export class PolicyGroup {
  readonly all: readonly CompiledPolicy[]
  #bySubject: PoliciesBySubject | undefined

  constructor(all: readonly CompiledPolicy[]) {
    this.all = all
  }

  /** The policies that find something in texts. */
  get textPolicies(): readonly CompiledPolicy[] {
    return this.#groupBySubject().textPolicies
  }

  get finders(): readonly TextFinder[] {
    return this.#groupBySubject().finders
  }

  /** The policies that ask a service outside of this process. */
  get servicePolicies(): readonly CompiledPolicy[] {
    return this.#groupBySubject().servicePolicies
  }

  /**
   * Runs once, on first use, because it compiles every policy. Grouping for each call made judging take 1.5 times as long with five
   * policies, twice as long with fifty.
   */
  #groupBySubject(): PoliciesBySubject {
    this.#bySubject ??= {
      textPolicies: this.all.filter(({ judge }) => judge.subject === 'text'),
      finders: findersOf(this.all),
      servicePolicies: this.all.filter(({ judge }) => judge.subject === 'service'),
    }
    return this.#bySubject
  }
}

/** Returns the finders of these policies, without duplicates. */
export function findersOf(policies: Iterable<CompiledPolicy>): TextFinder[] {
  const finders = new Set<TextFinder>()
  for (const { judge } of policies)
    if (judge.subject === 'text') for (const finder of judge.finders) finders.add(finder)
  return [...finders]
}

export const noPolicies = new PolicyGroup([])
