import type { ColumnDef } from '@tanstack/react-table'
import { Count, DataTable, EmptyState, Meter, Section } from '../../components'
import { plural } from '../../format'
import { type Attestation, useAttestation } from './use-attestation'

type Check = Attestation['checkCoverage'][number]

const columns: ColumnDef<Check>[] = [
  {
    id: 'name',
    header: 'Check',
    accessorKey: 'name',
    cell: ({ row }) => <span className="mono">{row.original.name}</span>,
  },
  {
    id: 'meter',
    header: 'Completed',
    enableSorting: false,
    meta: { className: 'w-1/4', wideOnly: true },
    cell: ({ row: { original } }) => (
      <Meter
        label={`${original.name}: ${original.pct} %`}
        value={original.receipts}
        max={original.applicableReceipts}
        tone={original.pct === 100 ? 'accent' : 'warn'}
        className="!h-1"
      />
    ),
  },
  {
    id: 'receipts',
    header: 'Verdicts',
    accessorKey: 'receipts',
    meta: { align: 'right' },
    cell: ({ row }) => <Count value={row.original.receipts} />,
  },
  {
    id: 'applicable',
    header: 'Applied to',
    accessorKey: 'applicableReceipts',
    meta: { align: 'right' },
    cell: ({ row }) => <Count value={row.original.applicableReceipts} />,
  },
  {
    id: 'pct',
    header: 'Share',
    accessorKey: 'pct',
    meta: { align: 'right' },
    cell: ({ row }) => <span className="num">{row.original.pct} %</span>,
  },
]

/** The share of applicable calls on which each check ran. */
export function Coverage() {
  const { data, error, refetch } = useAttestation()
  const checks = data?.checkCoverage
  const partial = checks?.filter(({ pct }) => pct < 100).length ?? 0
  return (
    <Section title="Checks" note={checks && checks.length > 0 ? describe(checks.length, partial) : undefined}>
      <DataTable
        label="Checks"
        columns={columns}
        rows={checks}
        idOf={(check) => check.name}
        error={error}
        retry={() => void refetch()}
        sortable
        empty={
          <EmptyState title="No checks ran in this period">
            Checks are limits, budgets, allow lists and policies.
          </EmptyState>
        }
      />
    </Section>
  )
}

const describe = (all: number, partial: number) =>
  partial === 0
    ? `each of the ${plural(all, 'check')} completed on every call that it applied to`
    : `${partial} of ${plural(all, 'check')} did not complete on every call`
