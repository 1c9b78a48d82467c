import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../../api'
import { CallsLink } from '../../../calls-link'
import {
  Dot,
  ErrorState,
  Money,
  nameOfOutcome,
  Section,
  Skeleton,
  Time,
  toneOfOutcome,
} from '../../../components'
import { SpendChart } from '../../../spend-chart'
import { spanOf } from '../../../time/span'
import { useTimeZone } from '../../../time/use-span'

/** A person's spend by day and their newest calls. */
export function PersonActivity({ userId }: { userId: string }) {
  const timeZone = useTimeZone()
  const span = spanOf('30d', new Date(), timeZone)
  const filter = { userId }
  return (
    <>
      <Section title="Spend by day" note="30 days">
        <SpendChart filter={filter} {...span} interval="day" timeZone={timeZone} height={132} />
      </Section>
      <Section
        title="Recent calls"
        aside={
          <CallsLink calls={{ ...span, filter }} className="link !text-accent">
            all calls →
          </CallsLink>
        }
      >
        <RecentCalls userId={userId} />
      </Section>
    </>
  )
}

function RecentCalls({ userId }: { userId: string }) {
  const calls = useQuery(apiQuery('/v1/calls', { params: { query: { userId, limit: 6 } } }))
  if (calls.error && !calls.data) return <ErrorState error={calls.error} retry={() => void calls.refetch()} />
  if (!calls.data) return <Skeleton className="h-40" />
  if (calls.data.data.length === 0)
    return (
      <p className="m-0 border-y border-rule py-3 text-sm text-ink-2">
        No calls yet. Calls appear here when they end.
      </p>
    )
  return (
    <ul className="m-0 list-none border-t border-rule p-0 text-sm">
      {calls.data.data.map((call) => (
        <li key={call.requestId} className="border-b border-rule">
          <Link
            to="/calls"
            search={{ call: call.requestId, userId }}
            className="flex h-9 items-center gap-2.5 text-inherit no-underline hover:bg-sunken"
          >
            <Dot tone={toneOfOutcome(call.outcome)} />
            <span className="sr-only">{nameOfOutcome(call.outcome)}</span>
            <code className="min-w-0 truncate">{call.model ?? call.askedModel}</code>
            {call.outcome !== 'ok' && (
              <span className="text-xs text-ink-3">{nameOfOutcome(call.outcome)}</span>
            )}
            <Money usd={call.costUsd} className="ml-auto" />
            <Time at={call.ts} className="w-24 text-right text-ink-3" />
          </Link>
        </li>
      ))}
    </ul>
  )
}
