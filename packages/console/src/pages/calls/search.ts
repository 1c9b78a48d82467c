/** The search parameters of the calls page, without the time range. */
export interface CallsSearch {
  /** The request ID of the call in the side panel. */
  call?: string
  keyId?: string
  userId?: string
  teamId?: string
  provider?: string
  model?: string
  kind?: CallKind
  server?: string
  tool?: string
  outcome?: Outcome
  policyId?: string
  session?: string
  route?: string
  agent?: string
  cache?: 'hit'
  batch?: string
  requestId?: string
  minCostUsd?: number
  /** Tags in the form `name=value`. */
  tags?: string[]
}

export const outcomes = [
  'ok',
  'redacted',
  'blocked',
  'upstream_error',
  'failed',
  'aborted',
  'interrupted',
] as const
export type Outcome = (typeof outcomes)[number]
export const isOutcome = (value: unknown): value is Outcome => outcomes.some((outcome) => outcome === value)

const callKinds = ['model', 'tool'] as const
export type CallKind = (typeof callKinds)[number]
export const isCallKind = (value: unknown): value is CallKind => callKinds.some((kind) => kind === value)

const texts = [
  'call',
  'keyId',
  'userId',
  'teamId',
  'provider',
  'model',
  'server',
  'tool',
  'policyId',
  'session',
  'route',
  'agent',
  'batch',
  'requestId',
] as const

export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const read: CallsSearch = {}
  for (const name of texts) {
    const value = search[name]
    if (typeof value === 'string' && value !== '') read[name] = value
    else if (typeof value === 'number') read[name] = String(value)
  }
  if (isOutcome(search.outcome)) read.outcome = search.outcome
  if (isCallKind(search.kind)) read.kind = search.kind
  if (search.cache === 'hit') read.cache = search.cache
  const cost = Number(search.minCostUsd)
  if (search.minCostUsd !== undefined && cost > 0) read.minCostUsd = cost
  if (Array.isArray(search.tags)) {
    const tags = search.tags.filter((tag): tag is string => typeof tag === 'string' && isTag(tag))
    if (tags.length > 0) read.tags = [...new Set(tags)]
  }
  return read
}

export const isTag = (text: string) => /^[^=\s]+=.+$/.test(text)

/** The filters in the format of the API, shared by the queries that list calls and those that count them. */
export function filterQuery(search: CallsSearch): CallFilterQuery {
  const { call: _, tags = [], ...filters } = search
  const query: CallFilterQuery = {}
  for (const name of filterNames)
    if (filters[name] !== undefined) Object.assign(query, { [name]: filters[name] })
  for (const tag of tags) {
    const at = tag.indexOf('=')
    Object.assign(query, { [`tag.${tag.slice(0, at)}`]: tag.slice(at + 1) })
  }
  return query
}

export const filterNames = [
  'keyId',
  'userId',
  'teamId',
  'provider',
  'model',
  'kind',
  'server',
  'tool',
  'outcome',
  'policyId',
  'session',
  'route',
  'agent',
  'batch',
  'cache',
  'minCostUsd',
  'requestId',
] as const

/** Tags are passed as `tag.<name>`, which the OpenAPI document cannot list. */
export type CallFilterQuery = Pick<CallsSearch, (typeof filterNames)[number]>
