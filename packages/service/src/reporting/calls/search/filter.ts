import { type RawBuilder, sql } from 'kysely'
import { costToNanos, type Owner } from '../../../http/index.js'
import { invalidField } from '../../../shared/errors.js'
import { isTagName, isTagValue, type Tags } from '../../../shared/tags.js'
import type { Selection } from '../../usage/index.js'
import type { CallQuery } from '../schema.js'

/** Selects calls. Null or empty fields match everything. */
export interface CallFilter {
  /** The owner of the calls; null for all of the tenant's. */
  own: Owner | null
  from: Date | null
  /** Exclusive. */
  to: Date | null
  keyId: string | null
  userId: string | null
  teamId: string | null
  provider: string | null
  model: string | null
  kind: string | null
  server: string | null
  tool: string | null
  outcome: string | null
  policyId: string | null
  session: string | null
  route: string | null
  agent: string | null
  cache: string | null
  batch: string | null
  tags: Tags
  minCostNanos: number | null
  requestId: string | null
}

const tagPrefix = 'tag.'

export function readFilter(query: Omit<CallQuery, 'limit' | 'cursor'>, own: Owner | null): CallFilter {
  const from = readTime(query.from, 'from')
  const to = readTime(query.to, 'to')
  if (from !== null && to !== null && from >= to) throw invalidField('to', 'must be after from')
  return {
    own,
    from,
    to,
    keyId: query.keyId ?? null,
    userId: query.userId ?? null,
    teamId: query.teamId ?? null,
    provider: query.provider ?? null,
    model: query.model ?? null,
    kind: query.kind ?? null,
    server: query.server ?? null,
    tool: query.tool ?? null,
    outcome: query.outcome ?? null,
    policyId: query.policyId ?? null,
    session: query.session ?? null,
    route: query.route ?? null,
    agent: query.agent ?? null,
    cache: query.cache ?? null,
    batch: query.batch ?? null,
    tags: readTagFilters(query),
    minCostNanos: query.minCostUsd === undefined ? null : costToNanos(query.minCostUsd, 'minCostUsd'),
    requestId: query.requestId ?? null,
  }
}

/** Reads an RFC 3339 time, or a date, which means midnight UTC. The schema has checked the format. */
function readTime(text: string | undefined, path: string): Date | null {
  if (text === undefined) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalidField(path, 'must be a time or a date')
  return time
}

function readTagFilters(query: Omit<CallQuery, 'limit' | 'cursor'>): Tags {
  const tags: Record<string, string> = {}
  for (const [parameter, value] of Object.entries(query)) {
    if (!parameter.startsWith(tagPrefix)) continue
    const name = parameter.slice(tagPrefix.length)
    if (!isTagName(name)) throw invalidField(parameter, 'is not the name of a tag')
    if (typeof value !== 'string' || !isTagValue(value))
      throw invalidField(parameter, 'is not the value of a tag')
    tags[name] = value
  }
  return tags
}

/** Returns the same filter for reports of usage. Their times are given separately. */
export function selectionOf(
  tenantId: string,
  { own, from: _, to: __, tags, ...filters }: CallFilter,
): Selection {
  const given = Object.entries(filters).filter(([, value]) => value !== null)
  return { tenantId, own, filters: { ...Object.fromEntries(given), tags: new Map(Object.entries(tags)) } }
}

/**
 * One condition of a search. `order`: in an indexed partition, an index has the rows in the order of a page
 * (`time`), in another order (`none`), or there is no index.
 */
export interface Condition {
  sql: RawBuilder<boolean>
  order: 'time' | 'none' | null
}

/** Returns the conditions of a filter, except those on time and the request's id. */
export function conditionsOf(filter: CallFilter): Condition[] {
  const conditions: Condition[] = ownerConditions(filter.own)
  const add = (order: Condition['order'], condition: RawBuilder<boolean>) =>
    conditions.push({ sql: condition, order })
  if (filter.keyId !== null) add('time', sql`key_id = ${filter.keyId}`)
  if (filter.userId !== null) add('time', sql`user_id = ${filter.userId}`)
  if (filter.teamId !== null) add('time', sql`team_id = ${filter.teamId}`)
  if (filter.provider !== null) add('time', sql`provider = ${filter.provider}`)
  if (filter.model !== null) conditions.push(...modelConditions(filter.model))
  if (filter.server !== null) add('time', sql`provider = ${`mcp:${filter.server}`}`)
  if (filter.tool !== null) conditions.push(...toolConditions(filter.tool))
  if (filter.outcome !== null) add('time', sql`outcome = ${filter.outcome}`)
  if (filter.policyId !== null) add('none', sql`policy_ids @> array[${filter.policyId}]`)
  if (filter.session !== null) add('time', sql`session = ${filter.session}`)
  if (filter.route !== null) add('time', sql`route = ${filter.route}`)
  if (filter.agent !== null) add('time', sql`agent = ${filter.agent}`)
  if (filter.cache !== null) add('time', sql`cache = ${filter.cache}`)
  if (filter.batch !== null) add('time', sql`batch = ${filter.batch}`)
  for (const [name, value] of Object.entries(filter.tags))
    add('none', sql`tags @> ${JSON.stringify({ [name]: value })}::jsonb`)
  if (filter.minCostNanos !== null) add('none', sql`cost_nanos >= ${filter.minCostNanos}`)
  // Counted last, because it is the least selective.
  if (filter.kind !== null) add('time', sql`kind = ${filter.kind}`)
  return conditions
}

function ownerConditions(own: Owner | null): Condition[] {
  if (own === null) return []
  if ('userId' in own) return [{ order: 'time', sql: sql`user_id = ${own.userId}` }]
  return [
    { order: 'time', sql: sql`key_id = ${own.keyId}` },
    { order: null, sql: sql`user_id is null` },
  ]
}

/** `openai/gpt-4o` is the model `gpt-4o` of that provider, or a model whose own name has a slash. */
function modelConditions(model: string): Condition[] {
  const slash = model.indexOf('/')
  if (slash < 1) return [{ order: 'time', sql: sql`model = ${model}` }]
  const provider = model.slice(0, slash)
  return [
    { order: 'none', sql: sql`model in (${model}, ${model.slice(slash + 1)})` },
    { order: null, sql: sql`(model = ${model} or provider = ${provider})` },
  ]
}

/** `files__read` is the tool `read` of that server, or a tool with this name. */
function toolConditions(tool: string): Condition[] {
  const split = tool.indexOf('__')
  if (split < 1) return [{ order: 'time', sql: sql`tool = ${tool}` }]
  return [
    { order: 'none', sql: sql`tool in (${tool}, ${tool.slice(split + 2)})` },
    { order: null, sql: sql`(tool = ${tool} or provider = ${`mcp:${tool.slice(0, split)}`})` },
  ]
}
