import { createColumnHelper } from '@tanstack/react-table'
import { MoreHorizontal } from 'lucide-react'
import { CallsLink } from '../../calls-link'
import { formatShare, formatUsd } from '../../format'
import { DataTable, EmptyState, IconButton, Menu, Meter, Money, Skeleton } from '../../parts'
import { currentMonth, type Team, toneOfSpend, type useTeams } from './use-people'

export interface TeamTableProps {
  teams: ReturnType<typeof useTeams>
  chosen: string | undefined
  onChoose(team: Team): void
  /** Undefined for who may only read. */
  onEdit: ((team: Team) => void) | undefined
  onDelete(team: Team): void
  empty: React.ReactNode
}

const column = createColumnHelper<Team>()

/** Teams with their pools: how much of each is spent. */
export function TeamTable({ teams, chosen, onChoose, onEdit, onDelete, empty }: TeamTableProps) {
  const { spentBy } = teams
  const month = currentMonth()
  const columns = [
    column.accessor('name', {
      header: 'Team',
      cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
      meta: { className: 'w-[22%]' },
    }),
    column.display({
      id: 'meter',
      header: 'Spent of its pool',
      cell: ({ row: { original: team } }) => {
        const spent = spentBy(team.id)
        if (spent === undefined) return <Skeleton className="h-2 w-full" />
        return (
          <Meter
            label={`${team.name} has spent ${formatUsd(spent)} of ${formatUsd(team.budgetPoolUsd)}`}
            value={spent}
            max={team.budgetPoolUsd}
            tone={toneOfSpend(spent, team.budgetPoolUsd)}
          />
        )
      },
      meta: { className: 'max-md:w-[30%]' },
    }),
    column.accessor(({ id, budgetPoolUsd }) => shareOf(spentBy(id), budgetPoolUsd), {
      id: 'share',
      header: 'Share',
      cell: ({ getValue }) => {
        const share = getValue()
        return share === null ? null : <span className="text-ink-3">{formatShare(share)}</span>
      },
      meta: { align: 'right', wideOnly: true, className: 'w-20' },
    }),
    column.accessor(({ id }) => spentBy(id), {
      id: 'spent',
      header: 'Spent',
      cell: ({ row, getValue }) => (
        <CallsLink calls={{ ...month, filter: { teamId: row.original.id } }}>
          <Money usd={getValue()} />
        </CallsLink>
      ),
      meta: { align: 'right', className: 'w-28' },
    }),
    column.accessor('budgetPoolUsd', {
      header: 'Pool',
      cell: ({ getValue }) => <Money usd={getValue()} className="text-ink-2" />,
      meta: { align: 'right', wideOnly: true, className: 'w-28' },
    }),
    column.display({
      id: 'actions',
      header: () => <span className="sr-only">Actions</span>,
      cell: ({ row: { original: team } }) =>
        onEdit && (
          <Menu
            trigger={
              <IconButton label={`Change team ${team.name}`}>
                <MoreHorizontal size={15} aria-hidden />
              </IconButton>
            }
            items={[
              { label: 'Change', onSelect: () => onEdit(team) },
              { label: 'Delete', tone: 'bad', onSelect: () => onDelete(team) },
            ]}
          />
        ),
      meta: { align: 'right', className: 'w-10' },
    }),
  ].filter(({ id }) => id !== 'actions' || onEdit)
  return (
    <DataTable
      label="Teams"
      columns={columns}
      rows={teams.teams}
      idOf={({ id }) => id}
      error={teams.error}
      retry={teams.retry}
      empty={empty}
      openId={chosen}
      onOpen={onChoose}
      sortable
      skeletonRows={4}
    />
  )
}

const shareOf = (spent: number | undefined, pool: number): number | null =>
  spent === undefined || pool === 0 ? null : spent / pool

export const NoTeams = ({ action }: { action: React.ReactNode }) => (
  <EmptyState title="No team yet" action={action}>
    A team has a pool of money for each month that the keys of its people share. A call that does not fit into
    it is refused.
  </EmptyState>
)
