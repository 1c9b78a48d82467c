import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CallsLink, toCallsSearch } from '../../calls-link'
import { Count, cx, Skeleton, Unknown } from '../../components'
import { formatDay, formatInteger, plural } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { localTimeIn, midnight } from '../../time/zone'
import { usageQuery } from '../../usage'

const dayMs = 86_400_000

/** The last seven local days including today. The span changes once a day, so the query is cached. */
export function useWeek() {
  const timeZone = useTimeZone()
  const { year, month, day } = localTimeIn(new Date(), timeZone)
  const from = midnight(year, month, day - 6, timeZone)
  const to = midnight(year, month, day + 1, timeZone)
  return { from, to, timeZone }
}

/** The number of calls per day that a policy matched in the last week. */
export function useHits(policyId: string) {
  const { from, timeZone } = useWeek()
  return useQuery(usageQuery({ from: from.toISOString(), timeZone, interval: 'day', policyId }))
}

/** A bar per day and the total; each links to its calls. */
export function Hits({ policyId, isWide = false }: { policyId: string; isWide?: boolean }) {
  const { from, to, timeZone } = useWeek()
  const { data, isError } = useHits(policyId)
  if (isError) return <Unknown />
  if (!data) return <Skeleton className={cx('ml-auto h-5', isWide ? 'w-56' : 'w-32')} />
  const max = Math.max(1, ...data.series.map(({ requests }) => requests))
  return (
    <span className="inline-flex items-center justify-end gap-3">
      <span
        role="group"
        aria-label={`${plural(data.totals.requests, 'call')} in the last 7 days`}
        className={cx('inline-flex items-end border-b border-rule-2', isWide ? 'h-8 gap-0.5' : 'h-5 gap-px')}
      >
        {data.series.map(({ ts, requests }) => {
          const start = new Date(ts)
          const end = new Date(Math.min(start.getTime() + dayMs, to.getTime()))
          return (
            <Link
              key={ts}
              to="/calls"
              search={toCallsSearch({ from: start, to: end, filter: { policyId } })}
              preload={false}
              tabIndex={-1}
              title={`${formatDay(start, timeZone)}: ${plural(requests, 'call')}`}
              aria-label={`${formatDay(start, timeZone)}: ${plural(requests, 'call')}`}
              className={cx('group flex h-full items-end', isWide ? 'w-3' : 'w-2')}
            >
              <span
                className="block w-full bg-warn group-hover:bg-ink"
                style={{ height: requests === 0 ? 0 : `${Math.max(10, (requests / max) * 100)}%` }}
              />
            </Link>
          )
        })}
      </span>
      <CallsLink
        calls={{ from, to, filter: { policyId } }}
        className={cx('text-right', isWide ? 'text-lg font-semibold' : 'min-w-12')}
      >
        <Count value={data.totals.requests} />
      </CallsLink>
    </span>
  )
}

/** A sentence about the matches of a policy, for confirmations. */
export function useHitsSentence(policyId: string): string {
  const { data } = useHits(policyId)
  if (!data) return 'It acts on matching calls'
  const count = data.totals.requests
  return count === 0
    ? 'It acted on no calls in the last 7 days'
    : `It acted on ${formatInteger(count)} ${count === 1 ? 'call' : 'calls'} in the last 7 days`
}
