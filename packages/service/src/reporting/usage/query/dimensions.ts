import { type RawBuilder, sql } from 'kysely'
import type { Owner } from '../../../http/index.js'
import type { NamedType } from '../../../resources/names/index.js'
import { invalidField } from '../../../shared/errors.js'
import { isTagName } from '../../../shared/tags.js'
import type { Source } from './pieces.js'

/** The dimensions by which usage can be grouped, besides `tag.<name>`. */
export const groupings = [
  ...['model', 'provider', 'key', 'user', 'team', 'outcome', 'session'],
  ...['route', 'agent', 'cache', 'batch', 'kind', 'server', 'tool'],
] as const
type Grouping = (typeof groupings)[number]

export interface Dimension {
  /** The dimension as it was requested, such as `team` or `tag.project`. */
  name: string
  by: { column: Grouping } | { tag: string }
}

const columns: Record<Exclude<Grouping, 'kind' | 'server'>, string> = {
  model: 'model',
  provider: 'provider',
  key: 'key_id',
  user: 'user_id',
  team: 'team_id',
  outcome: 'outcome',
  session: 'session',
  route: 'route',
  agent: 'agent',
  cache: 'cache',
  batch: 'batch',
  tool: 'tool',
}

/** Columns that no rollup has. */
const columnsOfCalls = ['session', 'route', 'agent', 'cache', 'batch', 'tool'] as const

/** Reads `team` or `team,model`: one or two dimensions, in the order of grouping. */
export function readGroupBy(text: string): Dimension[] {
  const names = text.split(',').map((name) => name.trim())
  if (names.length > 2) throw invalidField('groupBy', 'must be at most two dimensions')
  if (new Set(names).size < names.length) throw invalidField('groupBy', 'has the same dimension twice')
  return names.map(readDimension)
}

function readDimension(name: string): Dimension {
  const column = groupings.find((each) => each === name)
  if (column) return { name, by: { column } }
  const tag = name.startsWith('tag.') ? name.slice(4) : ''
  if (isTagName(tag)) return { name, by: { tag } }
  throw invalidField(
    'groupBy',
    `must be one of ${groupings.join(', ')} or tag.<name>, or two of them separated by a comma`,
  )
}

/** Returns the kind of object whose name is shown beside the id. */
export function namedTypeOf({ by }: Dimension): NamedType | null {
  const column = 'column' in by ? by.column : null
  return column === 'key' || column === 'user' || column === 'team' ? column : null
}

/** Returns the value of a dimension in a row; null for none. In rollups an empty text means none. */
export function valueIn(source: Source, { by }: Dimension): RawBuilder<string | null> {
  if ('tag' in by) return sql`tags ->> ${sql.lit(by.tag)}`
  if (by.column === 'kind') return kindOf
  if (by.column === 'server') return sql`case when ${isTool} then substr(provider, 5) end`
  const column = sql.ref(columns[by.column])
  if (source === 'calls') return sql`${column}`
  return sql`nullif(${column}, '')`
}

/** Rollups identify tools by the provider: no provider of models has a name with a colon. */
const isTool = sql<boolean>`starts_with(coalesce(provider, ''), 'mcp:')`
const kindOf = sql<string>`case when ${isTool} then 'tool' else 'model' end`

export interface UsageFilters {
  keyId?: string
  userId?: string
  teamId?: string
  provider?: string
  model?: string
  outcome?: string
  policyId?: string
  session?: string
  route?: string
  agent?: string
  cache?: string
  batch?: string
  kind?: string
  server?: string
  tool?: string
  requestId?: string
  minCostNanos?: number
  tags: ReadonlyMap<string, string>
}

/** The owner of the calls, and the filters. */
export interface Selection {
  tenantId: string
  /** Null for all of the tenant's. */
  own: Owner | null
  filters: UsageFilters
}

/** Policies, the cost of one call and its id are not in any rollup either. */
export const needsCalls = ({ filters }: Selection, dimensions: readonly Dimension[]): boolean =>
  columnsOfCalls.some((column) => filters[column] !== undefined) ||
  filters.policyId !== undefined ||
  filters.requestId !== undefined ||
  filters.minCostNanos !== undefined ||
  dimensions.some(({ by }) => 'column' in by && columnsOfCalls.some((column) => column === by.column))

/** Minutes have the first five dimensions only. */
export const needsOutcomeOrTags = ({ filters }: Selection, dimensions: readonly Dimension[]): boolean =>
  filters.outcome !== undefined ||
  filters.tags.size > 0 ||
  dimensions.some(({ by }) => 'tag' in by || by.column === 'outcome')

/** The columns of the rollups that a report uses, of which a summary must have every one. */
export function columnsUsed({ own, filters }: Selection, dimensions: readonly Dimension[]): Set<string> {
  const used = new Set<string>()
  for (const { by } of dimensions)
    used.add(
      'tag' in by ? 'tags' : by.column === 'kind' || by.column === 'server' ? 'provider' : columns[by.column],
    )
  if (own !== null) used.add('user_id')
  if (filters.userId !== undefined) used.add('user_id')
  if (filters.keyId !== undefined || (own !== null && 'keyId' in own)) used.add('key_id')
  if (filters.teamId !== undefined) used.add('team_id')
  if (filters.outcome !== undefined) used.add('outcome')
  if (filters.model !== undefined) used.add('model').add('provider')
  if ((filters.provider ?? filters.server ?? filters.kind) !== undefined) used.add('provider')
  if (filters.tags.size > 0) used.add('tags')
  return used
}

export function conditionIn(source: Source, { own, filters }: Selection): RawBuilder<boolean> {
  const conditions = [isOwn(source, own)]
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) conditions.push(sql`${sql.ref(column)} = ${value}`)
  }
  equal('key_id', filters.keyId)
  equal('user_id', filters.userId)
  equal('team_id', filters.teamId)
  equal('provider', filters.provider)
  equal('outcome', filters.outcome)
  if (filters.server !== undefined) equal('provider', `mcp:${filters.server}`)
  if (filters.kind !== undefined) conditions.push(sql`${kindOf} = ${filters.kind}`)
  // A model is named as `gpt-4o`, or together with its provider.
  const { model } = filters
  if (model !== undefined) conditions.push(sql`(model = ${model} or provider || '/' || model = ${model})`)
  for (const [name, value] of filters.tags)
    conditions.push(sql`tags @> ${JSON.stringify({ [name]: value })}::jsonb`)
  if (source === 'calls') {
    const { tool, ...others } = filters
    for (const column of columnsOfCalls) if (column !== 'tool') equal(column, others[column])
    // A tool is named alone, or together with its server.
    if (tool !== undefined) conditions.push(sql`(tool = ${tool} or server || '__' || tool = ${tool})`)
    equal('request_id', filters.requestId)
    if (filters.policyId !== undefined) conditions.push(sql`policy_ids @> array[${filters.policyId}]::text[]`)
    if (filters.minCostNanos !== undefined) conditions.push(sql`cost_nanos >= ${filters.minCostNanos}`)
  }
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Spend of a key counts for the user who owned the key at that time. */
function isOwn(source: Source, own: Owner | null): RawBuilder<boolean> {
  if (own === null) return sql`true`
  if ('userId' in own) return sql`user_id = ${own.userId}`
  return source === 'calls'
    ? sql`key_id = ${own.keyId} and user_id is null`
    : sql`key_id = ${own.keyId} and user_id = ''`
}
