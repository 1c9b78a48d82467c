import { nameOfOutcome } from '../../../components'
import { formatUsd, shortenId } from '../../../format'
import { nameOfCallKind } from '../../../usage-dimensions'
import { type CallsSearch, isCallKind, isOutcome, isTag } from '../search'

/** The kinds of filters, in display order. */
export const kinds = [
  { name: 'model', label: 'Model', groupBy: 'model' },
  { name: 'keyId', label: 'Key', groupBy: 'key' },
  { name: 'userId', label: 'Person', groupBy: 'user' },
  { name: 'teamId', label: 'Team', groupBy: 'team' },
  { name: 'outcome', label: 'Outcome', groupBy: 'outcome' },
  { name: 'kind', label: 'Kind', groupBy: 'kind' },
  { name: 'tool', label: 'Tool', groupBy: 'tool' },
  { name: 'server', label: 'MCP server', groupBy: 'server' },
  { name: 'provider', label: 'Provider', groupBy: 'provider' },
  { name: 'policyId', label: 'Policy', groupBy: null },
  { name: 'session', label: 'Session', groupBy: 'session' },
  { name: 'route', label: 'Route', groupBy: 'route' },
  { name: 'agent', label: 'Coding agent', groupBy: 'agent' },
  { name: 'cache', label: 'Cache', groupBy: 'cache' },
  { name: 'batch', label: 'Batch', groupBy: 'batch' },
  { name: 'tags', label: 'Tag', groupBy: null },
  { name: 'minCostUsd', label: 'Minimum cost', groupBy: null },
  { name: 'requestId', label: 'Request ID', groupBy: null },
] as const

export type FilterKind = (typeof kinds)[number]
export type FilterName = FilterKind['name']

export const kindOf = (name: FilterName): FilterKind => {
  const found = kinds.find((kind) => kind.name === name)
  if (!found) throw new Error(`No filter is called ${name}`)
  return found
}

/** A filter that is set. */
export interface SetFilter {
  name: FilterName
  value: string
}

export function filtersOf(search: CallsSearch): SetFilter[] {
  return kinds.flatMap(({ name }): SetFilter[] => {
    if (name === 'tags') return (search.tags ?? []).map((value) => ({ name, value }))
    const value = search[name]
    return value === undefined ? [] : [{ name, value: String(value) }]
  })
}

/** Adds a filter to the search parameters. Tags accumulate, other filters are replaced. Null if the value is invalid. */
export function addFilter(search: CallsSearch, { name, value }: SetFilter): CallsSearch | null {
  const text = value.trim()
  if (text === '') return null
  if (name === 'tags')
    return isTag(text) ? { ...search, tags: [...new Set([...(search.tags ?? []), text])] } : null
  if (name === 'cache') return text === 'hit' ? { ...search, cache: text } : null
  if (name === 'kind') return isCallKind(text) ? { ...search, kind: text } : null
  if (name === 'outcome') return isOutcome(text) ? { ...search, outcome: text } : null
  if (name === 'minCostUsd') {
    const cost = Number(text.replace(/^\$/, ''))
    return cost > 0 ? { ...search, minCostUsd: cost } : null
  }
  return { ...search, [name]: text }
}

export function removeFilter(search: CallsSearch, { name, value }: SetFilter): CallsSearch {
  if (name !== 'tags') return { ...search, [name]: undefined }
  const tags = search.tags?.filter((tag) => tag !== value)
  return { ...search, tags: tags && tags.length > 0 ? tags : undefined }
}

export const withoutFilters = (search: CallsSearch): CallsSearch =>
  filtersOf(search).reduce(removeFilter, search)

/** The display text of a value. IDs without a name are shortened. */
export function formatFilterValue({ name, value }: SetFilter, named: string | null | undefined): string {
  if (name === 'outcome') return nameOfOutcome(value)
  if (name === 'kind') return nameOfCallKind(value)
  if (name === 'minCostUsd') return formatUsd(Number(value))
  return named ?? (/^[a-z]+_\w{16,}$/.test(value) ? shortenId(value) : value)
}
