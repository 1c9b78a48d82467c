import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type CallSelection, CallsLink } from '../../calls-link'
import { Money, Section, Skeleton } from '../../components'
import { SpendChart } from '../../spend-chart'
import { usageQuery } from '../../usage'
import type { Budget } from './budget'

/** Spend by day and by caller. Members see only their own part. */
export function BudgetSpend({
  budget,
  calls,
  isPart,
}: {
  budget: Budget
  calls: CallSelection
  isPart: boolean
}) {
  const { tags, ...filter } = calls.filter ?? {}
  const [tagName, tagValue] = tags?.[0]?.split(/=(.*)/s) ?? []
  const tag = tagName !== undefined && tagValue !== undefined ? { name: tagName, value: tagValue } : undefined
  const groupBy = budget.scope.type === 'tenant' ? 'team' : budget.scope.type === 'key' ? 'model' : 'key'
  const { outcome: _, call: __, ...callFilter } = { call: undefined, ...filter }
  const query = {
    ...callFilter,
    ...(tag && { [`tag.${tag.name}`]: tag.value }),
    from: calls.from.toISOString(),
    timeZone: 'UTC',
    groupBy,
    interval: budget.period === 'daily' ? 'hour' : budget.period === 'total' ? 'month' : 'day',
  } as const
  const usage = useQuery(usageQuery(query))
  const groups = usage.data?.groups.slice(0, 6)
  const first = groups?.[0]?.spendUsd ?? 0
  const filterOf = (key: string | null) =>
    key === null
      ? {}
      : groupBy === 'team'
        ? { teamId: key }
        : groupBy === 'model'
          ? { model: key }
          : { keyId: key }
  return (
    <>
      <Section title={isPart ? 'Your spend in this period' : 'This period'} note="days in UTC">
        <SpendChart
          filter={callFilter}
          tag={tag}
          from={calls.from}
          to={calls.to < new Date() ? calls.to : new Date(usage.data?.to ?? Date.now())}
          interval={query.interval}
          timeZone="UTC"
        />
      </Section>
      <Section
        title={isPart ? 'Your keys' : 'Spend by caller'}
        aside={
          <Link to="/usage" className="link">
            usage →
          </Link>
        }
      >
        {groups === undefined ? (
          <Skeleton className="h-32" />
        ) : groups.length === 0 ? (
          <p className="m-0 text-sm text-ink-2">No spend in this period yet.</p>
        ) : (
          <ul className="m-0 list-none border-t border-rule p-0 text-sm">
            {groups.map((group) => (
              <li
                key={group.key}
                className="grid grid-cols-[minmax(0,1fr)_6rem_5rem] items-center gap-3 border-b border-rule py-1.5"
              >
                <span className="truncate">{group.name ?? group.key ?? 'none'}</span>
                <span aria-hidden className="h-1.5 rounded-sm bg-rule">
                  <span
                    className="block h-full rounded-sm bg-accent"
                    style={{ width: `${first > 0 ? (group.spendUsd / first) * 100 : 0}%` }}
                  />
                </span>
                <CallsLink
                  calls={{ ...calls, filter: { ...calls.filter, ...filterOf(group.key) } }}
                  className="text-right"
                >
                  <Money usd={group.spendUsd} />
                </CallsLink>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}
