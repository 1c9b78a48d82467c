import { createColumnHelper } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { CallsLink } from '../../../calls-link'
import { DataTable, Money, Skeleton, Time, Unknown } from '../../../components'
import { formatInteger } from '../../../format'
import { countPending, ServerState, SourceTag, stateOf, ToolCounts } from '../states'
import type { LastDay, Server, useServers } from '../use-servers'

interface ServerTableProps {
  list: ReturnType<typeof useServers>
  lastDay: LastDay
  onOpen(server: Server): void
  empty: ReactNode
}

const column = createColumnHelper<Server>()

export function ServerTable({ list, lastDay, onOpen, empty }: ServerTableProps) {
  const columns = useMemo(() => [...plainColumns, callsColumn(lastDay)], [lastDay])
  return (
    <DataTable
      label="Servers"
      columns={columns}
      rows={list.rows}
      idOf={({ id }) => id}
      error={list.error}
      retry={list.retry}
      empty={empty}
      onOpen={onOpen}
      isDim={({ enabled }) => !enabled}
      sortable
      skeletonRows={4}
    />
  )
}

/** The address without its scheme. */
const addressOf = ({ url }: Server) => (url === null ? 'stdio' : url.replace(/^https:\/\//, ''))

const plainColumns = [
  column.accessor('name', {
    header: 'Server',
    cell: ({ row: { original: server } }) => (
      <span className="block min-w-0 py-0.5">
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{server.name}</span>
          <SourceTag server={server} />
        </span>
        <span className="mono block truncate !text-2xs text-ink-3" title={server.url ?? undefined}>
          {addressOf(server)}
        </span>
      </span>
    ),
    meta: { className: 'max-w-0 w-[26%] max-md:w-[48%]' },
  }),
  column.accessor((server) => stateOf(server).label, {
    id: 'state',
    header: 'State',
    cell: ({ row: { original: server } }) => (
      <span className="block min-w-0">
        <ServerState server={server} />
        {server.enabled && server.status === 'failing' && server.statusMessage !== null && (
          <span className="line-clamp-2 text-xs text-ink-2">{server.statusMessage}</span>
        )}
      </span>
    ),
    meta: { className: 'md:max-w-56', wideOnly: true },
  }),
  column.accessor(countPending, {
    id: 'tools',
    header: 'Tools',
    cell: ({ row }) => (
      <>
        <ToolCounts server={row.original} />
        {/* On narrow screens, which show two columns, this reports a server that does not respond. */}
        <span className="block md:hidden">
          {stateOf(row.original).tone !== 'ok' && <ServerState server={row.original} />}
        </span>
      </>
    ),
  }),
  column.accessor('protocolVersion', {
    header: 'Protocol',
    cell: ({ getValue }) => {
      const version = getValue()
      return version === null ? <Unknown /> : <span className="num text-ink-2">{version}</span>
    },
    meta: { wideOnly: true },
  }),
  column.accessor('open', {
    header: 'Access',
    cell: ({ getValue }) => <span className="text-ink-2">{getValue() ? 'open' : 'allow list'}</span>,
    meta: { wideOnly: true },
  }),
  column.accessor('refreshedAt', {
    header: 'Listed',
    cell: ({ getValue }) => <Time at={getValue()} className="text-ink-2" />,
    meta: { wideOnly: true },
  }),
  column.accessor('pricePerCallUsd', {
    header: 'Price per call',
    cell: ({ getValue }) =>
      getValue() === 0 ? <span className="text-ink-3">free</span> : <Money usd={getValue()} />,
    meta: { align: 'right', wideOnly: true },
  }),
]

const callsColumn = (lastDay: LastDay) =>
  column.accessor(({ name }) => lastDay.callsOf(name) ?? -1, {
    id: 'calls',
    header: 'Calls, 24 h',
    cell: ({ row }) => <CallsOfLastDay lastDay={lastDay} name={row.original.name} />,
    meta: { align: 'right', className: 'max-md:hidden' },
  })

/** The number of calls as a link to them. */
export function CallsOfLastDay({ lastDay, name }: { lastDay: LastDay; name: string }) {
  const calls = lastDay.callsOf(name)
  if (lastDay.isLoading) return <Skeleton className="ml-auto h-3.5 w-10" />
  if (calls === undefined || lastDay.span === undefined) return <Unknown />
  if (calls === 0) return <span className="num">0</span>
  return (
    <CallsLink calls={{ ...lastDay.span, filter: { server: name } }} className="num">
      {formatInteger(calls)}
    </CallsLink>
  )
}
