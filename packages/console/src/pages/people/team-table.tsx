import { createColumnHelper } from '@tanstack/react-table'
import MoreHorizontal from 'lucide-react/icons/ellipsis'
import { CallsLink } from '../../calls-link'
import { DataTable, EmptyState, IconButton, Menu, Meter, Money, Skeleton } from '../../components'
import { formatShare, formatUsd } from '../../format'
import { currentMonth, type SpendingTeam, toneOfSpend, type useTeams } from './use-people'

export interface TeamTableProps {
  teams: ReturnType<typeof useTeams>
  chosen: string | undefined
  onChoose(team: SpendingTeam): void
  /** Undefined for users who may not edit. */
  onEdit: ((team: SpendingTeam) => void) | undefined
  onDelete(team: SpendingTeam): void
  empty: React.ReactNode
}

const column = createColumnHelper<SpendingTeam>()

/** The teams and how much of their budgets they have spent. */
export function TeamTable({ teams, chosen, onChoose, onEdit, onDelete, empty }: TeamTableProps) {
  const month = currentMonth()
  const columns = [
    column.accessor('name', {
      header: 'Team',
      cell: ({ row }) => <span className="font-medium">{row.original.name}</span>,
      meta: { className: 'w-[22%]' },
    }),
    column.display({
      id: 'meter',
      header: 'Spent of budget',
      cell: ({ row: { original: team } }) => {
        const spent = team.spentUsd
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
    column.accessor('share', {
      header: 'Share',
      cell: ({ getValue }) => {
        const share = getValue()
        return share === null ? null : <span className="text-ink-3">{formatWholeShare(share)}</span>
      },
      meta: { align: 'right', wideOnly: true, className: 'w-20' },
    }),
    column.accessor('spentUsd', {
      header: 'Spend',
      cell: ({ row, getValue }) => (
        <CallsLink calls={{ ...month, filter: { teamId: row.original.id } }}>
          <Money usd={getValue()} />
        </CallsLink>
      ),
      meta: { align: 'right', className: 'w-28' },
    }),
    column.accessor('budgetPoolUsd', {
      header: 'Budget',
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
              <IconButton label={`Edit team ${team.name}`}>
                <MoreHorizontal size={15} aria-hidden />
              </IconButton>
            }
            items={[
              { label: 'Edit', onSelect: () => onEdit(team) },
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

/** Whole percentages, with decimals below one percent. */
export const formatWholeShare = (share: number) =>
  formatShare(share < 0.01 ? share : Math.round(share * 100) / 100)

export const NoTeams = ({ action }: { action: React.ReactNode }) => (
  <EmptyState title="No teams yet" action={action}>
    A team has a monthly budget that the keys of its members share. Calls that exceed it are blocked.
  </EmptyState>
)
