import { createColumnHelper } from '@tanstack/react-table'
import { CallsLink } from '../../calls-link'
import { DataTable, Meter, Money, Skeleton, Status } from '../../components'
import { formatUsd } from '../../format'
import { currentMonth, type Limit, type Person, toneOfSpend } from './use-people'

export interface PeopleTableProps {
  people: {
    rows: readonly Person[] | undefined
    error: unknown
    retry(): void
    more: { hasMore: boolean; isLoading: boolean; load(): void }
  }
  teamName(id: string): string
  openId: string | undefined
  onOpen(person: Person): void
  empty: React.ReactNode
}

const column = createColumnHelper<Person>()

export function PeopleTable({ people, teamName, openId, onOpen, empty }: PeopleTableProps) {
  const columns = [
    column.accessor(({ member }) => (member.name ?? member.userId).toLowerCase(), {
      id: 'name',
      header: 'Person',
      cell: ({ row }) => <PersonName {...row.original} />,
      meta: { className: 'md:w-[34%] max-w-0' },
    }),
    column.accessor(({ member }) => member.role, {
      id: 'role',
      header: 'Role',
      cell: ({ getValue }) => (
        <span className={getValue() === 'member' ? 'text-ink-3' : 'font-medium'}>{getValue()}</span>
      ),
      meta: { wideOnly: true },
    }),
    column.accessor(({ member }) => (member.teamId === null ? '' : teamName(member.teamId)), {
      id: 'team',
      header: 'Team',
      cell: ({ getValue }) => getValue() || <span className="text-ink-3">none</span>,
      meta: { wideOnly: true },
    }),
    column.accessor(({ member }) => member.status, {
      id: 'status',
      header: 'Status',
      cell: ({ getValue }) =>
        getValue() === 'suspended' ? (
          <Status tone="bad">suspended</Status>
        ) : (
          <span className="text-ink-3">active</span>
        ),
      meta: { wideOnly: true },
    }),
    column.accessor(({ limit }) => limit?.allowedModels?.length ?? Number.POSITIVE_INFINITY, {
      id: 'models',
      header: 'Models',
      cell: ({ row }) => <Models limit={row.original.limit} />,
      meta: { wideOnly: true, className: 'max-w-48' },
    }),
    column.accessor(({ limit }) => limit?.spentUsd, {
      id: 'spent',
      header: 'This month',
      cell: ({ row: { original: person } }) =>
        person.limit ? (
          <CallsLink calls={{ ...currentMonth(), filter: { userId: person.member.userId } }}>
            <Money usd={person.limit.spentUsd} />
          </CallsLink>
        ) : (
          <Skeleton className="ml-auto h-3.5 w-14" />
        ),
      meta: { align: 'right', className: 'w-28' },
    }),
    column.accessor(({ limit }) => limit?.budgetCapUsd ?? Number.POSITIVE_INFINITY, {
      id: 'cap',
      header: 'Cap',
      cell: ({ row }) => <Cap limit={row.original.limit} />,
      meta: { align: 'right', wideOnly: true, className: 'w-44' },
    }),
  ]
  return (
    <DataTable
      label="People"
      columns={columns}
      rows={people.rows}
      idOf={({ member }) => member.userId}
      error={people.error}
      retry={people.retry}
      empty={empty}
      onOpen={onOpen}
      openId={openId}
      isDim={({ member }) => member.status === 'suspended'}
      sortable={!people.more.hasMore}
      more={people.more}
    />
  )
}

/** The name with the email or ID below it, which distinguishes people of the same name. */
function PersonName({ member }: Person) {
  const { name, userId, email, status } = member
  return (
    <span className="block min-w-0 gap-x-2.5 md:flex md:items-baseline">
      <span className="block truncate font-medium md:shrink-0">
        {name ?? userId}
        {status === 'suspended' && (
          <span className="ml-2 text-xs font-normal text-bad md:hidden">suspended</span>
        )}
      </span>
      {(email ?? name) !== null && (
        <span className="block truncate text-xs text-ink-3">{email ?? userId}</span>
      )}
    </span>
  )
}

function Models({ limit }: { limit: Limit | undefined }) {
  if (!limit) return <Skeleton className="h-3.5 w-12" />
  const { allowedModels } = limit
  if (allowedModels === null) return <span className="text-ink-3">all</span>
  if (allowedModels.length === 0) return <span className="text-bad">none</span>
  return (
    <code className="block truncate" title={allowedModels.join('\n')}>
      {allowedModels.join(', ')}
    </code>
  )
}

function Cap({ limit }: { limit: Limit | undefined }) {
  if (!limit) return null
  const { budgetCapUsd: cap, spentUsd } = limit
  if (cap === null) return <span className="text-ink-3">no cap</span>
  return (
    <span className="flex items-center justify-end gap-3">
      <Meter
        label={`${formatUsd(spentUsd)} of ${formatUsd(cap)}`}
        value={spentUsd}
        max={cap}
        tone={toneOfSpend(spentUsd, cap)}
        className="!w-16"
      />
      <Money usd={cap} className="min-w-16 text-ink-2" />
    </span>
  )
}
