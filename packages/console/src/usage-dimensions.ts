import type { CallSelection } from './calls-link'
import { nameOfOutcome } from './components'
import type { UsageGroup } from './usage'

/** The dimensions of usage, except for tags, which are `tag.<name>`. */
export const dimensionNames = {
  model: 'Model',
  provider: 'Provider',
  team: 'Team',
  user: 'Person',
  key: 'Key',
  outcome: 'Outcome',
  session: 'Session',
  route: 'Route',
  agent: 'Coding agent',
  cache: 'Cache',
  batch: 'Batch',
  kind: 'Kind',
  tool: 'Tool',
  server: 'MCP server',
} as const
export type NamedDimension = keyof typeof dimensionNames
export type Dimension = NamedDimension | `tag.${string}`

export const isNamedDimension = (name: string): name is NamedDimension => Object.hasOwn(dimensionNames, name)
export const isTagDimension = (name: string): name is `tag.${string}` =>
  /^tag\.[a-z0-9][a-z0-9._-]{0,63}$/i.test(name)
export const nameOfDimension = (dimension: Dimension) =>
  isNamedDimension(dimension) ? dimensionNames[dimension] : `Tag ${dimension.slice(4)}`

const filterNames = {
  model: 'model',
  provider: 'provider',
  team: 'teamId',
  user: 'userId',
  key: 'keyId',
  outcome: 'outcome',
  session: 'session',
  route: 'route',
  agent: 'agent',
  cache: 'cache',
  batch: 'batch',
  kind: 'kind',
  tool: 'tool',
  server: 'server',
} as const satisfies Record<NamedDimension, string>

/** The filter for calls with this value. Null for a missing value, because calls cannot be filtered by absence. */
export function filterFor(
  dimension: Dimension,
  value: string | null,
): NonNullable<CallSelection['filter']> | null {
  if (value === null) return null
  if (isNamedDimension(dimension)) return { [filterNames[dimension]]: value }
  return { tags: [`${dimension.slice(4)}=${value}`] }
}

const missingValueNames: Record<NamedDimension, string> = {
  model: 'no model',
  provider: 'no provider',
  team: 'no team',
  user: 'no person',
  key: 'no key',
  outcome: 'unknown',
  session: 'no session',
  route: 'no route',
  agent: 'no coding agent',
  cache: 'not from the cache',
  batch: 'no batch',
  kind: 'unknown',
  tool: 'no tool',
  server: 'no MCP server',
}

export const nameOfCallKind = (kind: string) => (kind === 'tool' ? 'tools' : 'models')

interface DimensionValue {
  key: string | null
  name?: string | null
}

/** The display name of a value: its name, or its ID without one. */
export function nameOfValue(dimension: Dimension, { key, name }: DimensionValue): string {
  if (key === null) return isNamedDimension(dimension) ? missingValueNames[dimension] : 'no value'
  if (dimension === 'kind') return nameOfCallKind(key)
  return dimension === 'outcome' ? nameOfOutcome(key) : (name ?? key)
}

/** The values of a group, one per dimension. */
export const dimensionValues = ({ key, name, second }: UsageGroup): DimensionValue[] => [
  { key, ...(name !== undefined && { name }) },
  ...(second ? [second] : []),
]

/** The filter for the calls of a group; null if one of its values is missing. */
export function filterOfGroup(
  dimensions: readonly Dimension[],
  group: UsageGroup,
): NonNullable<CallSelection['filter']> | null {
  let filter: NonNullable<CallSelection['filter']> = {}
  for (const [i, { key }] of dimensionValues(group).entries()) {
    const dimension = dimensions[i]
    const valueFilter = dimension ? filterFor(dimension, key) : null
    if (valueFilter === null) return null
    const tags = [...(filter.tags ?? []), ...(valueFilter.tags ?? [])]
    filter = { ...filter, ...valueFilter, ...(tags.length > 0 && { tags }) }
  }
  return filter
}

export const nameOfGroup = (dimensions: readonly Dimension[], group: UsageGroup) =>
  dimensionValues(group)
    .map((value, i) => nameOfValue(dimensions[i] ?? 'model', value))
    .join(' · ')
