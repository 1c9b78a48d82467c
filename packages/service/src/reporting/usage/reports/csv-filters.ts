import type { Db } from '../../../db/index.js'
import { namesAt } from '../../../resources/names/index.js'
import type { UsageFilters } from '../query/dimensions.js'
import type { Report } from './report.js'

/** A column with the value of a filter, the same in every line. */
export interface FilterColumn {
  name: string
  value: string
}

type SingleFilter = Exclude<keyof UsageFilters, 'tags'>

/** The dimension of each filter. Ids have a second column with the name. */
const dimensionOf: Record<SingleFilter, { dimension: string; type?: 'key' | 'user' | 'team' | 'policy' }> = {
  teamId: { dimension: 'team', type: 'team' },
  userId: { dimension: 'user', type: 'user' },
  keyId: { dimension: 'key', type: 'key' },
  provider: { dimension: 'provider' },
  model: { dimension: 'model' },
  kind: { dimension: 'kind' },
  server: { dimension: 'server' },
  tool: { dimension: 'tool' },
  outcome: { dimension: 'outcome' },
  policyId: { dimension: 'policy', type: 'policy' },
  session: { dimension: 'session' },
  route: { dimension: 'route' },
  agent: { dimension: 'agent' },
  cache: { dimension: 'cache' },
  batch: { dimension: 'batch' },
  requestId: { dimension: 'request_id' },
  minCostNanos: { dimension: 'min_cost_usd' },
}

/** The filters that were given, in a fixed order, each with its dimension and value. */
function* givenFilters({ query: { selection } }: Pick<Report, 'query'>) {
  const { tags, ...filters } = selection.filters
  for (const [filter, { dimension, type }] of Object.entries(dimensionOf)) {
    const value = filters[filter as SingleFilter]
    if (value === undefined) continue
    yield { dimension, type, value: filter === 'minCostNanos' ? usdText(Number(value)) : String(value) }
  }
  for (const [name, value] of tags) yield { dimension: `tag.${name}`, type: undefined, value }
}

/** All digits, never an exponent. */
const usdText = (nanos: number): string => (nanos / 1e9).toFixed(9).replace(/\.?0+$/, '')

/** Returns the columns of the filters. A dimension by which the table is grouped has its own. */
export async function readFilterColumns(db: Db, report: Report): Promise<FilterColumn[]> {
  const grouped = new Set(report.query.dimensions.map(({ name }) => name))
  const given = [...givenFilters(report)].filter(({ dimension }) => !grouped.has(dimension))
  const wanted = given.flatMap(({ type, value }) => (type ? [{ type, id: value, at: report.to }] : []))
  const nameOf = await namesAt(db, report.query.selection.tenantId, wanted)
  return given.flatMap(({ dimension, type, value }) =>
    type
      ? [
          { name: `${dimension}_id`, value },
          { name: `${dimension}_name`, value: nameOf({ type, id: value, at: report.to }) ?? '' },
        ]
      : [{ name: dimension, value }],
  )
}

// Some file systems allow 255 bytes.
const maxNameLength = 160

/** Returns the name of the file: the span and the filters, in characters that every file system accepts. */
export function csvFileName(report: Report): string {
  const date = (at: Date) => at.toISOString().slice(0, 10)
  const parts = ['usage', date(report.query.span.from), date(report.to)]
  for (const { dimension, value } of givenFilters(report)) parts.push(dimension, value)
  const safe = parts.map((part) => part.replaceAll(/[^A-Za-z0-9._-]+/g, '_')).join('-')
  return `${safe.slice(0, maxNameLength)}.csv`
}
