import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import type { ColumnDef } from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import { api, apiPages, type components, expectSuccess } from '../../api'
import {
  Button,
  Confirm,
  DataTable,
  EmptyState,
  notify,
  notifyError,
  Section,
  Tag,
  Time,
} from '../../components'
import { plural } from '../../format'
import { sessionQuery } from '../../session'

type SessionRow = components['schemas']['Session']

export const useSessions = () => useInfiniteQuery(apiPages('/v1/sessions', { limit: 50 }))

/** The sessions of the user, each with a button to sign out. */
export function Sessions() {
  const query = useSessions()
  const rows = query.data
  const end = useEndSession()
  const [isConfirming, setConfirming] = useState(false)
  const columns = useMemo(() => columnsOf(end), [end])
  return (
    <Section
      title="Sessions"
      note="expire after 12 hours without use, or 7 days"
      aside={
        rows !== undefined &&
        rows.length > 0 && (
          <Button size="sm" kind="danger" onClick={() => setConfirming(true)}>
            Sign out everywhere
          </Button>
        )
      }
    >
      <DataTable
        label="Sessions"
        columns={columns}
        rows={rows}
        idOf={(row) => row.id}
        error={query.error}
        retry={() => void query.refetch()}
        skeletonRows={1}
        more={{
          hasMore: query.hasNextPage,
          isLoading: query.isFetchingNextPage,
          load: () => void query.fetchNextPage(),
        }}
        empty={<EmptyState title="No sessions">Sessions that you open in a browser appear here.</EmptyState>}
      />
      <SignOutEverywhere open={isConfirming} onClose={() => setConfirming(false)} sessions={rows ?? []} />
    </Section>
  )
}

const columnsOf = (end: ReturnType<typeof useEndSession>): ColumnDef<SessionRow>[] => [
  {
    id: 'browser',
    header: 'Browser',
    cell: ({ row: { original } }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{original.userAgent}</span>
        {original.current && <Tag tone="accent">this session</Tag>}
        {original.via === 'oidc' && <Tag>single sign-on</Tag>}
      </span>
    ),
  },
  {
    id: 'ip',
    header: 'Address',
    meta: { wideOnly: true },
    cell: ({ row }) => <span className="mono text-ink-2">{row.original.ip}</span>,
  },
  {
    id: 'created',
    header: 'Signed in',
    meta: { wideOnly: true, align: 'right' },
    cell: ({ row }) => <Time at={row.original.createdAt} className="text-ink-2" />,
  },
  {
    id: 'seen',
    header: 'Last used',
    meta: { align: 'right' },
    cell: ({ row: { original } }) =>
      original.current ? (
        <span className="text-ink-2">now</span>
      ) : (
        <Time at={original.lastSeenAt} className="text-ink-2" />
      ),
  },
  {
    id: 'ends',
    header: 'Ends',
    meta: { wideOnly: true, align: 'right' },
    cell: ({ row }) => <Time at={row.original.expiresAt} className="text-ink-3" />,
  },
  {
    id: 'end',
    header: () => <span className="sr-only">Sign out</span>,
    meta: { align: 'right', className: 'w-24' },
    cell: ({ row: { original } }) => (
      <Button
        size="sm"
        kind="quiet"
        aria-label={`Sign out ${original.current ? 'here' : `${original.userAgent} at ${original.ip}`}`}
        isBusy={end.isPending && end.variables?.id === original.id}
        onClick={() => end.mutate(original)}
      >
        Sign out
      </Button>
    ),
  },
]

function useEndSession() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (row: SessionRow) => {
      await expectSuccess(api.DELETE('/v1/sessions/{id}', { params: { path: { id: row.id } } }))
    },
    onSuccess: async (_, row) => {
      if (row.current) return void queries.setQueryData(sessionQuery.queryKey, null)
      notify(`${row.userAgent} signed out`)
      await queries.invalidateQueries({ queryKey: ['/v1/sessions'] })
    },
    onError: (error) => notifyError('Session not ended', error),
  })
}

function SignOutEverywhere({
  open,
  onClose,
  sessions,
}: {
  open: boolean
  onClose(): void
  sessions: readonly SessionRow[]
}) {
  const queries = useQueryClient()
  const everywhere = useMutation({
    mutationFn: async () => {
      await expectSuccess(api.DELETE('/v1/sessions'))
    },
    onSuccess: () => void queries.setQueryData(sessionQuery.queryKey, null),
    onError: (error) => notifyError('Not signed out', error),
  })
  const others = sessions.filter(({ current }) => !current).length
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title="Sign out everywhere?"
      action="Sign out everywhere"
      isBusy={everywhere.isPending}
      onConfirm={() => everywhere.mutate()}
    >
      <p className="m-0">
        {others === 0
          ? 'You will have to sign in again here.'
          : `You will have to sign in again here and in ${plural(others, 'other browser')}, at once.`}{' '}
        Keys keep working.
      </p>
    </Confirm>
  )
}
