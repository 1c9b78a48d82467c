import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import { CallsLink, toCallsSearch } from '../../calls-link'
import { Count, cx, Skeleton, Unknown } from '../../components'
import { formatDay, formatInteger, plural } from '../../format'
import { useTimeZone } from '../../time/use-span'
import { localTimeIn, midnight } from '../../time/zone'

/** The last seven local days including today. The span changes once a day, so the query is cached. */
export function useWeek() {
  const timeZone = useTimeZone()
  const { year, month, day } = localTimeIn(new Date(), timeZone)
  const from = midnight(year, month, day - 6, timeZone)
  const to = midnight(year, month, day + 1, timeZone)
  return { from, to, timeZone }
}

/** The number of calls per day that a policy matched in the last week. One request answers for all policies. */
export function useHits(policyId: string) {
  const timeZone = useTimeZone()
  const { data, isError } = useQuery(apiQuery('/v1/policies/hits', { params: { query: { timeZone } } }))
  if (!data) return { hits: undefined, isError }
  const counts = data.policies.find((policy) => policy.policyId === policyId)?.calls
  const days = data.days.map((day, i) => ({
    start: new Date(day),
    end: new Date(data.days[i + 1] ?? data.to),
    calls: counts?.[i] ?? 0,
  }))
  return { hits: { days, total: days.reduce((sum, { calls }) => sum + calls, 0) }, isError }
}

/** A bar per day and the total; each links to its calls. */
export function Hits({ policyId, isWide = false }: { policyId: string; isWide?: boolean }) {
  const { from, to, timeZone } = useWeek()
  const { hits, isError } = useHits(policyId)
  if (isError) return <Unknown />
  if (!hits) return <Skeleton className={cx('ml-auto h-5', isWide ? 'w-56' : 'w-32')} />
  const max = Math.max(1, ...hits.days.map(({ calls }) => calls))
  return (
    <span className="inline-flex items-center justify-end gap-3">
      <span
        role="group"
        aria-label={`${plural(hits.total, 'call')} in the last 7 days`}
        className={cx('inline-flex items-end border-b border-rule-2', isWide ? 'h-8 gap-0.5' : 'h-5 gap-px')}
      >
        {hits.days.map(({ start, end, calls }) => {
          const title = `${formatDay(start, timeZone)}: ${plural(calls, 'call')}`
          return (
            <Link
              key={start.getTime()}
              to="/calls"
              search={toCallsSearch({ from: start, to: end, filter: { policyId } })}
              preload={false}
              tabIndex={-1}
              title={title}
              aria-label={title}
              className={cx('group flex h-full items-end', isWide ? 'w-3' : 'w-2')}
            >
              <span
                className="block w-full bg-warn group-hover:bg-ink"
                style={{ height: calls === 0 ? 0 : `${Math.max(10, (calls / max) * 100)}%` }}
              />
            </Link>
          )
        })}
      </span>
      <CallsLink
        calls={{ from, to, filter: { policyId } }}
        className={cx('text-right', isWide ? 'text-lg font-semibold' : 'min-w-12')}
      >
        <Count value={hits.total} />
      </CallsLink>
    </span>
  )
}

/** A sentence about the matches of a policy, for confirmations. */
export function useHitsSentence(policyId: string): string {
  const { hits } = useHits(policyId)
  if (!hits) return 'It acts on matching calls'
  const count = hits.total
  return count === 0
    ? 'It acted on no calls in the last 7 days'
    : `It acted on ${formatInteger(count)} ${count === 1 ? 'call' : 'calls'} in the last 7 days`
}
