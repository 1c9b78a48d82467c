import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CallBars } from '../../charts'
import { ErrorState, Section, Skeleton } from '../../components'
import { plural } from '../../format'
import { useLiveState } from '../../layout/live-updates'
import { intervalsOf, usageQuery } from '../../usage'

const height = 48
const states = {
  live: 'live',
  connecting: 'connecting',
  polling: 'refreshes every 15 seconds',
  paused: 'paused',
}

/** Calls per minute in the last hour, updated live. */
export function LastHour({ timeZone }: { timeZone: string }) {
  const { data, error, refetch } = useQuery(usageQuery({ range: '1h', groupBy: 'provider', timeZone }))
  const live = useLiveState()
  const spans = data ? intervalsOf(data) : []
  return (
    <Section
      title="The last hour"
      note={`calls per minute; gold is blocked, red is failed · ${states[live]}`}
      aside={
        <Link to="/calls" search={{ range: '1h' }} className="link text-xs">
          View all calls
        </Link>
      }
    >
      {error && !data ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data?.totals.requests === 0 ? (
        <p
          className="m-0 flex items-center border-b border-rule-2 text-sm text-ink-2"
          style={{ height: height + 22 }}
        >
          No calls in the last hour. New calls appear here automatically.
        </p>
      ) : data ? (
        <CallBars
          label={`The last hour: ${plural(data.totals.requests, 'call')}, ${data.totals.blocked} blocked, ${data.totals.errors} failed. Use the arrow keys to move between minutes.`}
          interval="minute"
          timeZone={timeZone}
          height={height}
          bars={data.series.map((point, i) => ({
            start: spans[i]?.from ?? new Date(point.ts),
            end: spans[i]?.to ?? new Date(point.ts),
            calls: point.requests,
            blocked: point.blocked,
            failed: point.errors,
          }))}
        />
      ) : (
        <div style={{ height: height + 22 }}>
          <Skeleton className="h-12" />
        </div>
      )}
    </Section>
  )
}
