import { createHash } from 'node:crypto'
import { type PolicyJudge, type PolicySets, type Selection, textPoliciesOf } from '../../../policies/index.js'
import type { Entitlements } from '../../../resources/keys/index.js'
import { scopeIdsOf } from '../../../resources/keys/index.js'
import { judgeArguments } from './judge-arguments.js'

/**
 * Judges a text that callers see without a call, such as the definition of a tool. Resolves with the redacted text, or null when it must
 * not be shown.
 */
export type JudgeListing = (entitlements: Entitlements, json: string) => Promise<string | null>

export interface ListingJudgeParts {
  policies: PolicyJudge
  policySets: PolicySets
}

/** How many results are cached for each selection of policies. When there are more, the cache is cleared. */
const maxKnown = 5_000

/** Judges the listings of servers with the policies that inspect texts, because listings reach models like any result. */
export function createListingJudge({ policies, policySets }: ListingJudgeParts): JudgeListing {
  const known = new WeakMap<Selection, Map<string, string | null>>()

  return async (entitlements, json) => {
    const policySet = await policySets.current(entitlements.tenantId)
    const selection = policySet.selectFor(scopeIdsOf(entitlements))
    const byHash = known.get(selection) ?? new Map<string, string | null>()
    known.set(selection, byHash)
    const hash = createHash('sha256').update(json).digest('base64')
    const before = byHash.get(hash)
    if (before !== undefined) return before
    const judged = await judge(selection, entitlements, json)
    if (byHash.size >= maxKnown) byHash.clear()
    byHash.set(hash, judged)
    return judged
  }

  async function judge(
    selection: Selection,
    entitlements: Entitlements,
    json: string,
  ): Promise<string | null> {
    const ruling = await judgeArguments(
      policies,
      textPoliciesOf(selection),
      { ...nobody, entitlements },
      '{}',
    )
    if (ruling.judge === null) return json
    const { refusal, redacted } = await ruling.judge.judgeText(json)
    return refusal === null ? redacted : null
  }
}

const nobody = {
  id: '',
  server: '',
  fullName: '',
  name: '',
  arguments: {},
  tags: {},
  session: null,
}
