import type { CallsSearch } from '../calls/search'
import type { UsageSearch } from './search'

/** The filters without the display options. */
export function filtersOnly(search: UsageSearch | CallsSearch): CallsSearch {
  const { keyId, userId, teamId, provider, model, outcome, policyId, session, requestId, minCostUsd, tags } =
    search
  const all = {
    keyId,
    userId,
    teamId,
    provider,
    model,
    outcome,
    policyId,
    session,
    requestId,
    minCostUsd,
    tags,
  }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

export const withoutFilters = <T extends UsageSearch>(search: T): T => ({
  ...search,
  keyId: undefined,
  userId: undefined,
  teamId: undefined,
  provider: undefined,
  model: undefined,
  outcome: undefined,
  policyId: undefined,
  session: undefined,
  requestId: undefined,
  minCostUsd: undefined,
  tags: undefined,
})
