/** What the address says of the list of calls, beside the time range. */
export interface CallsSearch {
  /** The call that is open at the side, by its request id. */
  call?: string
  keyId?: string
  userId?: string
  teamId?: string
  provider?: string
  model?: string
  outcome?: string
  policyId?: string
  session?: string
  minCostUsd?: number
  /** `name=value`, each a tag that the calls have. */
  tags?: string[]
}

const texts = [
  'call',
  'keyId',
  'userId',
  'teamId',
  'provider',
  'model',
  'outcome',
  'policyId',
  'session',
] as const

export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const read: CallsSearch = {}
  for (const name of texts) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    else if (typeof value === 'number') read[name] = String(value)
  }
  const cost = Number(search.minCostUsd)
  if (search.minCostUsd !== undefined && cost > 0) read.minCostUsd = cost
  if (Array.isArray(search.tags)) {
    const tags = search.tags.filter((tag): tag is string => typeof tag === 'string' && tag.includes('='))
    if (tags.length > 0) read.tags = tags
  }
  return read
}
