import { createColumnHelper } from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { CallsLink } from '../../../calls-link'
import { cx, DataTable, Skeleton, Unknown } from '../../../components'
import { formatDuration, formatInteger, plural } from '../../../format'
import type { LastDay, Provider, useProviders } from '../use-providers'
import { ProviderState, SourceTag, stateOf } from './states'
import { nameOfType } from './types'

interface ProviderTableProps {
  list: ReturnType<typeof useProviders>
  lastDay: LastDay
  openId: string | undefined
  onOpen(provider: Provider): void
  empty: ReactNode
}

const column = createColumnHelper<Provider>()

export function ProviderTable({ list, lastDay, openId, onOpen, empty }: ProviderTableProps) {
  const columns = useMemo(() => [...plainColumns, ...figureColumns(lastDay)], [lastDay])
  return (
    <DataTable
      label="Providers"
      columns={columns}
      rows={list.rows}
      idOf={({ id }) => id}
      error={list.error}
      retry={list.retry}
      empty={empty}
      onOpen={onOpen}
      openId={openId}
      isDim={({ enabled }) => !enabled}
      sortable
      skeletonRows={4}
    />
  )
}

const plainColumns = [
  column.accessor('name', {
    header: 'Provider',
    cell: ({ row: { original: provider } }) => (
      <span className="flex min-w-0 items-center gap-2 py-0.5">
        <span className="truncate font-medium">{provider.name}</span>
        <SourceTag provider={provider} />
      </span>
    ),
    meta: { className: 'max-w-0 w-[26%] max-md:w-[45%]' },
  }),
  column.accessor(({ type }) => nameOfType(type), {
    id: 'type',
    header: 'Type',
    cell: ({ getValue }) => <span className="text-ink-2">{getValue()}</span>,
    meta: { wideOnly: true },
  }),
  column.accessor((provider) => stateOf(provider).label, {
    id: 'state',
    header: 'State',
    cell: ({ row }) => <ProviderState provider={row.original} />,
  }),
  column.accessor(({ credentials }) => credentials.length, {
    id: 'credentials',
    header: 'Credentials',
    cell: ({ row: { original: provider } }) => <Hints provider={provider} />,
    meta: { wideOnly: true },
  }),
]

/** Identifies each credential by the end of its value, or by its name. */
function Hints({ provider: { credentials, auth } }: { provider: Provider }) {
  if (auth === 'caller') return <span className="text-ink-2">the caller’s own</span>
  if (credentials.length === 0) return <span className="text-ink-3">none</span>
  const [first] = credentials
  return (
    <span className="text-ink-2" title={credentials.map(({ name, hint }) => `${name} …${hint}`).join('\n')}>
      {credentials.length === 1 && first ? (
        <>
          {first.name} <span className="mono !text-xs text-ink-3">{first.hint && `…${first.hint}`}</span>
        </>
      ) : (
        plural(credentials.length, 'credential')
      )}
    </span>
  )
}

const figureColumns = (lastDay: LastDay) => [
  column.accessor(({ name }) => lastDay.of(name)?.calls ?? -1, {
    id: 'calls',
    header: 'Calls, 24 h',
    cell: ({ row }) => (
      <Figure lastDay={lastDay} name={row.original.name}>
        {({ calls }) => ({ value: calls, text: formatInteger(calls) })}
      </Figure>
    ),
    meta: { align: 'right' },
  }),
  column.accessor(({ name }) => lastDay.of(name)?.failed ?? -1, {
    id: 'failed',
    header: 'Failed',
    cell: ({ row }) => (
      <Figure lastDay={lastDay} name={row.original.name} outcome="upstream_error">
        {({ calls, failed }) => ({
          value: failed,
          text: formatInteger(failed),
          isBad: isHighFailureRate(failed, calls),
        })}
      </Figure>
    ),
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor(({ name }) => lastDay.of(name)?.p50Ms ?? -1, {
    id: 'latency',
    header: 'Latency, p50 · p95',
    cell: ({ row }) => (
      <Figure lastDay={lastDay} name={row.original.name}>
        {({ calls, p50Ms, p95Ms }) => ({
          value: calls,
          text: `${formatDuration(p50Ms)} · ${formatDuration(p95Ms)}`,
        })}
      </Figure>
    ),
    meta: { align: 'right', wideOnly: true },
  }),
]

/** Occasional failures are normal; this share is highlighted. */
export const isHighFailureRate = (failed: number, calls: number) => failed >= calls * 0.05

type Figures = NonNullable<ReturnType<LastDay['of']>>

/** A figure of the last day that links to its calls. Without calls, or if unknown, it is a dash. */
export function Figure({
  lastDay,
  name,
  outcome,
  children,
}: {
  lastDay: LastDay
  name: string
  outcome?: 'upstream_error'
  children(figures: Figures): { value: number; text: string; isBad?: boolean }
}) {
  const figures = lastDay.of(name)
  if (lastDay.isLoading) return <Skeleton className="ml-auto h-3.5 w-12" />
  if (!figures || !lastDay.span || figures.calls === 0) return <Unknown />
  const { value, text, isBad = false } = children(figures)
  if (value === 0) return <span className="num">{text}</span>
  return (
    <CallsLink
      calls={{ ...lastDay.span, filter: { provider: name, ...(outcome && { outcome }) } }}
      className={cx('num', isBad && 'font-medium !text-bad')}
    >
      {text}
    </CallsLink>
  )
}
