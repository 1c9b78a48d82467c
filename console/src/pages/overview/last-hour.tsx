import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { plural } from '../../format'
import { useLiveState } from '../../frame/live'
import { ErrorState, Section, Skeleton } from '../../parts'
import { Notches } from '../../plots'
import { askUsage, intervalsOf } from '../../usage'

const height = 48
const states = {
  live: 'live',
  waiting: 'connecting',
  polling: 'asked every 15 seconds',
  resting: 'resting',
}

/** The last hour, minute by minute, as it happens. */
export function LastHour({ timeZone }: { timeZone: string }) {
  const { data, error, refetch } = useQuery(askUsage({ range: '1h', groupBy: 'provider', timeZone }))
  const live = useLiveState()
  const spans = data ? intervalsOf(data) : []
  return (
    <Section
      title="The last hour"
      note={`a notch for each minute; gold was blocked, red failed · ${states[live]}`}
      aside={
        <Link to="/calls" search={{ range: '1h' }} className="link text-xs">
          all calls
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
          No call in the last hour. The next one appears here by itself.
        </p>
      ) : data ? (
        <Notches
          label={`The last hour: ${plural(data.totals.requests, 'call')}, ${data.totals.blocked} blocked, ${data.totals.errors} failed. Arrow keys go from minute to minute.`}
          interval="minute"
          timeZone={timeZone}
          height={height}
          notches={data.series.map((point, i) => ({
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
