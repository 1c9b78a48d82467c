import { createColumnHelper } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { DataTable, Time } from '../../components'
import { Lag, Position, State, stateOf } from './sink-state'
import { dataKinds, describeDestination, destinationNames, type Sink } from './use-sinks'

export interface SinkTableProps {
  rows: readonly Sink[] | undefined
  error: unknown
  retry(): void
  openId: string | undefined
  onOpen(sink: Sink): void
  empty: ReactNode
}

const column = createColumnHelper<Sink>()

const columns = [
  column.accessor('name', {
    header: 'Sink',
    cell: ({ row: { original: sink } }) => (
      <span className="block min-w-0 py-0.5">
        <span className="block truncate font-medium">{sink.name}</span>
        <span className="block truncate text-xs text-ink-3">{dataKinds[sink.data].name}</span>
      </span>
    ),
    meta: { className: 'max-w-0 w-[24%] max-md:w-[55%]' },
  }),
  column.accessor(({ destination }) => describeDestination(destination), {
    id: 'destination',
    header: 'Destination',
    cell: ({ row: { original: sink }, getValue }) => (
      <span className="block min-w-0 py-0.5">
        <span className="mono block truncate !text-xs">{getValue()}</span>
        <span className="block truncate text-xs text-ink-3">{destinationNames[sink.destination.type]}</span>
      </span>
    ),
    meta: { className: 'max-w-0 w-[24%]', wideOnly: true },
  }),
  column.accessor(stateOf, {
    id: 'state',
    header: 'State',
    cell: ({ row: { original: sink } }) => (
      <span title={sink.state.lastError ?? undefined}>
        <State sink={sink} />
      </span>
    ),
  }),
  column.accessor(({ state }) => state.exported, {
    id: 'position',
    header: 'Exported up to',
    cell: ({ row: { original: sink } }) => <Position sink={sink} />,
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor(({ state }) => state.lagSeconds ?? -1, {
    id: 'lag',
    header: 'Lag',
    cell: ({ row: { original: sink } }) => <Lag sink={sink} />,
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor(({ state }) => state.lastSuccessAt ?? '', {
    id: 'last',
    header: 'Last batch',
    cell: ({ row: { original: sink } }) => <Time at={sink.state.lastSuccessAt} className="text-ink-3" />,
    meta: { align: 'right', wideOnly: true },
  }),
]

export const SinkTable = ({ rows, error, retry, openId, onOpen, empty }: SinkTableProps) => (
  <DataTable
    label="Sinks"
    columns={columns}
    rows={rows}
    idOf={({ id }) => id}
    error={error}
    retry={retry}
    empty={empty}
    onOpen={onOpen}
    openId={openId}
    isDim={({ enabled }) => !enabled}
    sortable
    skeletonRows={3}
  />
)
