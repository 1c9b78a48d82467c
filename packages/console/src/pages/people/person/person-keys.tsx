import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { apiQuery } from '../../../api'
import { EmptyState, ErrorState, Section, Skeleton, Status, Time } from '../../../components'

const keyTones = { active: 'ok', revoked: 'neutral', expired: 'warn' } as const

/** The keys of a person. */
export function PersonKeys({ userId }: { userId: string }) {
  const keys = useQuery(apiQuery('/v1/keys', { params: { query: { userId, limit: 50 } } }))
  return (
    <Section title="Keys">
      {keys.error && !keys.data ? (
        <ErrorState error={keys.error} retry={() => void keys.refetch()} />
      ) : !keys.data ? (
        <Skeleton className="h-20" />
      ) : keys.data.data.length === 0 ? (
        <EmptyState title="No keys yet">
          Keys owned by this person use their limits. Create one on the{' '}
          <Link to="/keys" search={{ create: true }} className="link">
            keys page
          </Link>
          .
        </EmptyState>
      ) : (
        <ul className="m-0 list-none border-t border-rule p-0 text-sm">
          {keys.data.data.map((key) => (
            <li key={key.id} className="border-b border-rule">
              <Link
                to="/keys"
                search={{ key: key.id }}
                className="flex min-h-9 items-center gap-3 py-1 text-inherit no-underline hover:bg-sunken"
              >
                <span className="min-w-0 truncate">{key.name}</span>
                <code className="text-xs text-ink-3">…{key.hint}</code>
                {key.status !== 'active' && <Status tone={keyTones[key.status]}>{key.status}</Status>}
                <span className="ml-auto text-xs text-ink-3">
                  {key.lastUsedAt === null ? 'never used' : <Time at={key.lastUsedAt} />}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
