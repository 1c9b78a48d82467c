import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../api'
import {
  Dot,
  EmptyState,
  ErrorState,
  Money,
  nameOfOutcome,
  Skeleton,
  Time,
  toneOfOutcome,
} from '../../components'

/** The newest calls with a key. */
export function RecentCalls({ keyId, limit = 6 }: { keyId: string; limit?: number }) {
  const calls = useQuery(apiQuery('/v1/calls', { params: { query: { keyId, limit } } }))
  if (calls.error && !calls.data) return <ErrorState error={calls.error} retry={() => void calls.refetch()} />
  if (!calls.data) return <Skeleton className="h-40" />
  if (calls.data.data.length === 0)
    return (
      <EmptyState title="No calls yet">
        Calls appear here as they end. Make one in the playground or with the snippets of a new key.
      </EmptyState>
    )
  return (
    <ul className="m-0 list-none border-t border-rule p-0 text-sm">
      {calls.data.data.map((call) => (
        <li key={call.receiptSeq} className="border-b border-rule">
          <Link
            to="/calls"
            search={{ call: call.requestId, keyId }}
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
