import type { Static } from 'typebox'
import type { Db } from '../../../db/index.js'
import { namesAt } from '../../../resources/names/index.js'
import { addSum, emptySum, type UsageSum } from '../counting/usage-sum.js'
import { namedTypeOf } from '../query/dimensions.js'
import { parseReportQuery, type ReportQuery, type UsageFilter } from '../query/report-query.js'
import type { Usage } from '../query/schema.js'
import { presentBefore, presentChange, presentGroupPoint, presentSum } from './figures.js'
import { type Group, readUsage, type UsageSums } from './read-usage.js'

/** A report before it is written in a format. */
export interface Report {
  query: ReportQuery
  to: Date
  sums: UsageSums
  /** Returns the values of a group's dimensions, each with its name if it can have one. */
  labelsOf(group: Group): Label[]
}

export interface Label {
  key: string | null
  name?: string | null
}

export async function reportUsage(
  db: Db,
  now: () => Date,
  filter: UsageFilter,
): Promise<Static<typeof Usage>> {
  return presentReport(await readReport(db, now, filter, filter.groupSeries ?? 0))
}

export async function readReport(
  db: Db,
  now: () => Date,
  filter: UsageFilter,
  groupsByPoint: number | 'all',
): Promise<Report> {
  const startedAt = now()
  const query = parseReportQuery(filter, startedAt)
  const sums = await readUsage(db, query, startedAt, groupsByPoint)
  // The time after the read, because every call that was read was admitted before it. The report does not include the
  // next interval.
  const to = endOf(query, now())
  const labelsOf = await findLabels(db, query, sums.groups, to)
  return { query, to, sums, labelsOf }
}

/** The end of an open span is the time at which it was read. */
export const endOf = ({ isOpen, span }: ReportQuery, now: Date): Date =>
  isOpen ? new Date(Math.min(now.getTime(), span.end.getTime())) : span.end

/** Finds the names as they were at the end of the span. */
export async function findLabels(
  db: Db,
  { dimensions, selection }: Pick<ReportQuery, 'dimensions' | 'selection'>,
  groups: readonly Pick<Group, 'key'>[],
  to: Date,
) {
  const wanted = ({ key }: Pick<Group, 'key'>) =>
    dimensions.map((dimension, i) => ({ type: namedTypeOf(dimension), id: key[i] ?? null, at: to }))
  const named = groups.flatMap((group) =>
    wanted(group).flatMap(({ type, id, at }) => (type === null || id === null ? [] : [{ type, id, at }])),
  )
  const nameOf = await namesAt(db, selection.tenantId, named)
  return (group: Pick<Group, 'key'>): Label[] =>
    wanted(group).map(({ type, id, at }) => {
      if (type === null) return { key: id }
      return { key: id, name: id === null ? null : nameOf({ type, id, at }) }
    })
}

function presentReport({ query, to, sums, labelsOf }: Report): Static<typeof Usage> {
  const { range, timeZone, span, previous, groupSeries } = query
  const compared = (sum: UsageSum, before: UsageSum) =>
    previous === null ? {} : { previous: presentBefore(before), change: presentChange(sum, before) }
  const rest = restOf(sums)
  const seriesOf = (points: ReadonlyMap<number, UsageSum>) =>
    span.starts.flatMap((start, i) => {
      const sum = points.get(i)
      return sum && hasCalls(sum) ? [{ ts: start.toISOString(), ...presentGroupPoint(sum) }] : []
    })
  const withSeries = sums.groups.slice(0, groupSeries ?? 0)
  return {
    range,
    from: span.from.toISOString(),
    to: to.toISOString(),
    timeZone,
    interval: span.interval,
    totals: presentSum(sums.totals),
    ...(previous !== null && {
      previous: {
        from: previous.from.toISOString(),
        to: previous.to.toISOString(),
        totals: presentSum(sums.before),
        change: presentChange(sums.totals, sums.before),
      },
    }),
    series: span.starts.map((start, i) => ({
      ts: start.toISOString(),
      ...presentSum(sums.points[i] ?? emptySum()),
    })),
    groups: sums.groups.map((group, i) => {
      const [first = { key: null }, second] = labelsOf(group)
      return {
        ...first,
        ...(second && { second }),
        ...presentSum(group.sum),
        ...compared(group.sum, group.before),
        ...(i < withSeries.length && { series: seriesOf(group.points) }),
      }
    }),
    ...(groupSeries !== null && { otherSeries: seriesOf(othersByPoint(sums, withSeries)) }),
    rest: rest && { groups: rest.groups, ...presentSum(rest.sum), ...compared(rest.sum, rest.before) },
  }
}

const hasCalls = ({ requests, costNanos }: UsageSum): boolean => requests !== 0 || costNanos !== 0

/** Returns each interval without the groups that are listed separately. */
function othersByPoint({ points }: UsageSums, groups: readonly Group[]): Map<number, UsageSum> {
  return new Map(
    points.map((point, i) => {
      const others = emptySum()
      addSum(others, point)
      for (const { points: own } of groups) addSum(others, own.get(i) ?? emptySum(), -1)
      return [i, others]
    }),
  )
}

/** Returns the totals without the groups that are listed. */
export function restOf({
  totals,
  before,
  groups,
  groupsLeftOut,
}: UsageSums): { groups: number; sum: UsageSum; before: UsageSum } | null {
  if (groupsLeftOut === 0) return null
  const rest = { groups: groupsLeftOut, sum: emptySum(), before: emptySum() }
  addSum(rest.sum, totals)
  addSum(rest.before, before)
  for (const group of groups) {
    addSum(rest.sum, group.sum, -1)
    addSum(rest.before, group.before, -1)
  }
  return rest
}
