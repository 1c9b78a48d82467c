import { createColumnHelper } from '@tanstack/react-table'
import { useMemo } from 'react'
import { CallsLink } from '../../calls-link'
import { cx, DataTable, type DataTableProps, Money, Status, Time, type Tone, Unknown } from '../../components'
import { formatCompact, formatInteger } from '../../format'
import type { Span } from '../../time/span'
import type { Key } from './use-keys'

export interface KeyRow extends Key {
  ownerName: string | null
  teamName: string | null
  /** The key inherits the team of its owner. */
  isOwnersTeam: boolean
  /** The spend of this month; undefined if unknown. */
  spentUsd: number | undefined
}

const tones: Record<Key['status'], Tone> = { active: 'ok', expired: 'warn', revoked: 'neutral' }
export const KeyStatus = ({ status }: { status: Key['status'] }) => (
  <Status tone={tones[status]}>{status}</Status>
)

/** The rate limits, such as 60 rpm · 500K tpm. */
export function Limits({ rpmLimit, tpmLimit }: Pick<Key, 'rpmLimit' | 'tpmLimit'>) {
  if (rpmLimit === null && tpmLimit === null) return <span className="text-ink-3">none</span>
  return (
    <span
      className="num whitespace-nowrap"
      title={[
        rpmLimit !== null && `${formatInteger(rpmLimit)} requests per minute`,
        tpmLimit !== null && `${formatInteger(tpmLimit)} tokens per minute`,
      ]
        .filter(Boolean)
        .join('\n')}
    >
      {[
        rpmLimit !== null && `${formatCompact(rpmLimit)} rpm`,
        tpmLimit !== null && `${formatCompact(tpmLimit)} tpm`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </span>
  )
}

export function AllowedModels({ models }: { models: readonly string[] | null }) {
  if (models === null) return <span className="text-ink-3">all</span>
  if (models.length === 0) return <span>none</span>
  return (
    <span title={models.join('\n')} className="whitespace-nowrap">
      <code>{models[0]}</code>
      {models.length > 1 && <span className="text-ink-3"> +{models.length - 1}</span>}
    </span>
  )
}

const column = createColumnHelper<KeyRow>()

/** The columns; a member's own list leaves out those that are the same in every row. */
const columnsFor = ({ month, isOwn }: { month: Span; isOwn: boolean }) => [
  column.accessor('name', {
    header: 'Name',
    cell: ({ row: { original: key } }) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="max-w-40 truncate font-medium sm:max-w-56" title={key.name}>
          {key.name}
        </span>
        <code
          className="shrink-0 !text-2xs text-ink-3 max-sm:hidden"
          title="The last four characters of its value"
        >
          …{key.hint}
        </code>
        {key.status !== 'active' && <span className="text-xs md:hidden">{key.status}</span>}
      </span>
    ),
  }),
  ...(isOwn
    ? []
    : [
        column.accessor('ownerName', {
          header: 'Owner',
          cell: ({ getValue }) => (
            <span className="block max-w-40 truncate">{getValue() ?? <Unknown />}</span>
          ),
          meta: { wideOnly: true },
        }),
        column.accessor('teamName', {
          header: 'Team',
          cell: ({ getValue, row: { original: key } }) => (
            <span
              className={cx('block max-w-32 truncate', key.isOwnersTeam && 'text-ink-3')}
              title={key.isOwnersTeam && key.teamName !== null ? 'From its owner' : undefined}
            >
              {getValue() ?? <Unknown />}
            </span>
          ),
          meta: { wideOnly: true },
        }),
      ]),
  column.accessor('role', {
    header: 'Role',
    cell: ({ getValue }) =>
      getValue() === 'member' ? <span className="text-ink-3">member</span> : getValue(),
    meta: { wideOnly: true },
  }),
  column.accessor('status', {
    header: 'Status',
    cell: ({ getValue }) => <KeyStatus status={getValue()} />,
    meta: { wideOnly: true },
  }),
  column.accessor((key) => key.rpmLimit ?? Number.POSITIVE_INFINITY, {
    id: 'limits',
    header: 'Limits',
    cell: ({ row }) => <Limits {...row.original} />,
    meta: { wideOnly: true },
  }),
  column.accessor((key) => key.allowedModels?.length ?? Number.POSITIVE_INFINITY, {
    id: 'models',
    header: 'Models',
    cell: ({ row }) => <AllowedModels models={row.original.allowedModels} />,
    meta: { wideOnly: true },
  }),
  column.accessor('spentUsd', {
    header: 'This month',
    cell: ({ row: { original: key } }) =>
      key.spentUsd === undefined ? (
        <Unknown />
      ) : key.spentUsd === 0 ? (
        <span className="num text-ink-3">$0.00</span>
      ) : (
        <CallsLink calls={{ ...month, filter: { keyId: key.id } }}>
          <Money usd={key.spentUsd} />
        </CallsLink>
      ),
    meta: { align: 'right' },
  }),
  column.accessor((key) => key.lastUsedAt ?? '', {
    id: 'lastUse',
    header: 'Last used',
    cell: ({ row: { original: key } }) =>
      key.lastUsedAt === null ? <span className="text-ink-3">never</span> : <Time at={key.lastUsedAt} />,
    meta: { align: 'right', wideOnly: true },
  }),
]

export function KeyTable({
  month,
  isOwn,
  ...rest
}: { month: Span; isOwn: boolean } & Omit<DataTableProps<KeyRow>, 'columns' | 'idOf' | 'label'>) {
  const columns = useMemo(() => columnsFor({ month, isOwn }), [month, isOwn])
  return (
    <DataTable
      label="Keys"
      columns={columns}
      idOf={(key) => key.id}
      isDim={({ status }) => status !== 'active'}
      {...rest}
    />
  )
}
