import type { Static } from 'typebox'
import type { Db } from '../../db/index.js'
import { namesAt } from '../names/index.js'
import { namedTypeOf } from './dimensions.js'
import { presentBefore, presentChange, presentSum } from './figures.js'
import { type Question, readQuestion, type UsageFilter } from './question.js'
import { type Group, readUsage, type UsageSums } from './read-usage.js'
import type { Usage } from './schema.js'
import { addSum, emptySum, type UsageSum } from './usage-sum.js'

/** A report before it is written in one format or another. */
export interface Report {
  question: Question
  to: Date
  sums: UsageSums
  /** The values of a group's dimensions, each with its name where it can have one. */
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
  return presentReport(await readReport(db, now, filter, false))
}

export async function readReport(
  db: Db,
  now: () => Date,
  filter: UsageFilter,
  byPoint: boolean,
): Promise<Report> {
  const asked = now()
  const question = readQuestion(filter, asked)
  const sums = await readUsage(db, question, asked, byPoint && question.hasInterval)
  // The time after the read: every call that was read was admitted before it. The next interval is not in the report.
  const to = endOf(question, now())
  const labelsOf = await findLabels(db, question, sums.groups, to)
  return { question, to, sums, labelsOf }
}

/** The end of a span that is open is the time that it was read at. */
export const endOf = ({ isOpen, span }: Question, now: Date): Date =>
  isOpen ? new Date(Math.min(now.getTime(), span.end.getTime())) : span.end

/** As they were at the end of the span. */
export async function findLabels(
  db: Db,
  { dimensions, selection }: Pick<Question, 'dimensions' | 'selection'>,
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

function presentReport({ question, to, sums, labelsOf }: Report): Static<typeof Usage> {
  const { range, timeZone, span, previous } = question
  const compared = (sum: UsageSum, before: UsageSum) =>
    previous === null ? {} : { previous: presentBefore(before), change: presentChange(sum, before) }
  const rest = restOf(sums)
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
    groups: sums.groups.map((group) => {
      const [first = { key: null }, second] = labelsOf(group)
      return {
        ...first,
        ...(second && { second }),
        ...presentSum(group.sum),
        ...compared(group.sum, group.before),
      }
    }),
    rest: rest && { groups: rest.groups, ...presentSum(rest.sum), ...compared(rest.sum, rest.before) },
  }
}

/** The totals less the groups that are listed. */
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
