import { createColumnHelper } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { DataTable, Status, Time } from '../../components'
import { formatShare, plural } from '../../format'
import { deliveryTones, type Endpoint, nameOfDelivery, shareDelivered } from './use-webhooks'

export interface EndpointTableProps {
  list: {
    rows: readonly Endpoint[] | undefined
    error: unknown
    retry(): void
    more: { hasMore: boolean; isLoading: boolean; load(): void }
  }
  openId: string | undefined
  onOpen(endpoint: Endpoint): void
  empty: ReactNode
}

const column = createColumnHelper<Endpoint>()

const columns = [
  column.accessor('name', {
    header: 'Webhook',
    cell: ({ row: { original: endpoint } }) => (
      <span className="block min-w-0 py-0.5">
        <span className="block truncate font-medium">{endpoint.name}</span>
        <span className="mono block truncate !text-xs text-ink-3">{hostOf(endpoint.url)}</span>
      </span>
    ),
    meta: { className: 'max-w-0 w-[30%] max-md:w-[55%]' },
  }),
  column.accessor('type', {
    header: 'Sends',
    cell: ({ getValue }) => <span className="text-ink-2">{getValue() === 'chat' ? 'chat' : 'signed'}</span>,
    meta: { wideOnly: true },
  }),
  column.accessor(({ events }) => events.length, {
    id: 'events',
    header: 'Events',
    cell: ({ row }) => (
      <span className="text-ink-2" title={row.original.events.join('\n')}>
        {row.original.events.map((event) => event.split('.')[0]).join(', ')}
      </span>
    ),
    meta: { wideOnly: true },
  }),
  column.accessor(stateOf, {
    id: 'state',
    header: 'State',
    cell: ({ row: { original: endpoint } }) => <State endpoint={endpoint} />,
  }),
  column.accessor(({ lastWeek }) => shareDelivered(lastWeek) ?? -1, {
    id: 'share',
    header: 'Delivered, 7 days',
    cell: ({ row: { original } }) => <DeliveryRate counts={original.lastWeek} />,
    meta: { align: 'right', wideOnly: true },
  }),
  column.accessor(({ lastDelivery }) => lastDelivery?.at ?? '', {
    id: 'last',
    header: 'Last delivery',
    cell: ({ row: { original } }) => <LastDelivery endpoint={original} />,
    meta: { align: 'right', wideOnly: true },
  }),
]

export function EndpointTable({ list, openId, onOpen, empty }: EndpointTableProps) {
  return (
    <DataTable
      label="Webhooks"
      columns={columns}
      rows={list.rows}
      idOf={({ id }) => id}
      error={list.error}
      retry={list.retry}
      empty={empty}
      onOpen={onOpen}
      openId={openId}
      isDim={({ enabled }) => !enabled}
      sortable={!list.more.hasMore}
      more={list.more}
      skeletonRows={4}
    />
  )
}

/** The host without the path, which may contain a secret. */
export function hostOf(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return pathname.length > 1 ? `${host}${pathname}` : host
  } catch {
    return url
  }
}

function stateOf({ enabled, secretStatus, lastWeek }: Endpoint): string {
  if (!enabled) return 'disabled'
  if (secretStatus === 'undecryptable') return 'secret unavailable'
  if (lastWeek.dead > 0 || lastWeek.retrying > 0) return 'failing'
  return 'enabled'
}

export function State({ endpoint }: { endpoint: Endpoint }) {
  const { lastDelivery } = endpoint
  const state = stateOf(endpoint)
  if (state === 'disabled') return <Status tone="neutral">disabled</Status>
  if (state === 'secret unavailable') return <Status tone="bad">secret unavailable</Status>
  if (state === 'failing')
    return lastDelivery?.status === 'delivered' ? (
      <Status tone="warn">recovered</Status>
    ) : (
      <Status tone="bad">failing</Status>
    )
  return <Status tone="ok">enabled</Status>
}

export function DeliveryRate({ counts }: { counts: Endpoint['lastWeek'] }) {
  const share = shareDelivered(counts)
  if (share === null) return <span className="text-ink-3">no deliveries</span>
  const total = counts.delivered + counts.retrying + counts.dead
  return (
    <span title={`${counts.delivered} delivered, ${counts.retrying} retrying, ${counts.dead} failed`}>
      <span className="num font-medium">{formatShare(Math.floor(share * 1000) / 1000)}</span>{' '}
      <span className="text-ink-3">of {plural(total, 'delivery', 'deliveries')}</span>
    </span>
  )
}

function LastDelivery({ endpoint: { lastDelivery } }: { endpoint: Endpoint }) {
  if (lastDelivery === null) return <span className="text-ink-3">none yet</span>
  const { status, statusCode, at, error } = lastDelivery
  return (
    <span className="inline-flex items-center gap-2" title={error ?? undefined}>
      <Status tone={deliveryTones[status]}>
        {nameOfDelivery(lastDelivery)}
        {statusCode !== null && <span className="num"> {statusCode}</span>}
      </Status>
      <Time at={at} className="min-w-20 text-ink-3" />
    </span>
  )
}
