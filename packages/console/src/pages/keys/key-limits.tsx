import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery, type ResponseOf } from '../../api'
import { ErrorState, Meter, Money, Section, Skeleton, Time, type Tone } from '../../components'
import { formatDuration, formatInteger, formatUsd } from '../../format'
import type { Key } from './use-keys'

type KeyUsage = ResponseOf<'/v1/keys/{id}/standing'>
type Window = NonNullable<KeyUsage['requests']>
type Limit = KeyUsage['money'][number]

const toneOf = (share: number): Tone => (share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'accent')

/** The current usage of every limit that applies to a key. Refetched on new calls and every few seconds. */
export function KeyLimits({ subject }: { subject: Key }) {
  const usage = useQuery({
    ...apiQuery('/v1/keys/{id}/standing', { params: { path: { id: subject.id } } }),
    refetchInterval: subject.status === 'active' ? 5_000 : false,
  })
  return (
    <Section title="Limits" note={subject.status === 'active' && 'current usage'}>
      {usage.error && !usage.data ? (
        <ErrorState error={usage.error} retry={() => void usage.refetch()} />
      ) : !usage.data ? (
        <Skeleton className="h-28" />
      ) : (
        <div className="flex flex-col gap-3 text-sm">
          {!usage.data.usable && subject.status === 'active' && (
            <p className="m-0 text-bad">Its owner is suspended: every call is rejected.</p>
          )}
          <RateLimit name="Requests per minute" window={usage.data.requests} />
          <RateLimit name="Tokens per minute" window={usage.data.tokens} />
          {usage.data.money.map((limit) => (
            <MoneyLimit key={`${limit.type} ${limit.id}`} limit={limit} />
          ))}
          {usage.data.money.length === 0 && <p className="m-0 text-ink-3">No budget or cap applies.</p>}
        </div>
      )}
    </Section>
  )
}

function RateLimit({ name, window }: { name: string; window: Window | null }) {
  if (window === null)
    return (
      <div className="flex justify-between">
        <span>{name}</span>
        <span className="text-ink-3">no limit</span>
      </div>
    )
  const { used, limit, resetMs } = window
  return (
    <div>
      <div className="mb-1 flex justify-between gap-4">
        <span>{name}</span>
        <span className="num">
          {formatInteger(used)} <span className="text-ink-3">of {formatInteger(limit)}</span>
        </span>
      </div>
      <Meter
        label={`${name}: ${formatInteger(used)} of ${formatInteger(limit)} used`}
        value={used}
        max={limit}
        tone={toneOf(used / limit)}
      />
      {used >= limit && (
        <p className="m-0 mt-1 text-xs text-bad">
          Calls are rejected (429). Fully available again in {formatDuration(resetMs)}.
        </p>
      )}
    </div>
  )
}

function MoneyLimit({ limit }: { limit: Limit }) {
  const { type, id, name: label, limitUsd, spentUsd, reservedUsd, resetsAt } = limit
  const share = limitUsd > 0 ? (spentUsd + reservedUsd) / limitUsd : 1
  return (
    <div>
      <div className="mb-1 flex justify-between gap-4">
        {type === 'budget' ? (
          <Link
            to="/budgets"
            search={{ budget: id }}
            className="min-w-0 truncate text-inherit hover:underline"
          >
            {label}
          </Link>
        ) : (
          <span className="min-w-0 truncate">{label}</span>
        )}
        <span className="whitespace-nowrap">
          <Money usd={spentUsd} /> <span className="text-ink-3">of {formatUsd(limitUsd)}</span>
        </span>
      </div>
      <Meter
        label={`${label}: ${formatUsd(spentUsd)} of ${formatUsd(limitUsd)} spent`}
        value={spentUsd}
        reserved={reservedUsd}
        max={limitUsd}
        tone={toneOf(share)}
      />
      <p className="m-0 mt-1 flex justify-between text-xs text-ink-3">
        <span>{reservedUsd > 0 ? `${formatUsd(reservedUsd)} reserved by calls in progress` : ''}</span>
        {resetsAt !== null && (
          <span>
            resets <Time at={resetsAt} />
          </span>
        )}
      </p>
    </div>
  )
}
