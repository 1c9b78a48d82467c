import { useInfiniteQuery } from '@tanstack/react-query'
import { createColumnHelper } from '@tanstack/react-table'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { apiPages } from '../../../api'
import { Button, DataTable, EmptyState, Headline, Section, Skeleton } from '../../../components'
import { plural } from '../../../format'
import { useIsManager } from '../../../session'
import type { SectionProps } from '../search'
import type { Route } from '../use-providers'
import { describeRetries, RouteState, stateOf, strategies } from './descriptions'
import { RouteForm } from './route-form'
import { RoutePanel } from './route-panel'

const column = createColumnHelper<Route>()
const columns = [
  column.accessor('name', {
    header: 'Route',
    cell: ({ getValue }) => <code className="block truncate !text-sm font-medium">{getValue()}</code>,
    meta: { className: 'max-w-0 w-[20%] max-md:w-[50%]' },
  }),
  column.accessor(({ targets }) => targets.length, {
    id: 'targets',
    header: 'Targets',
    cell: ({ row: { original } }) => (
      <span
        className="mono block truncate !text-xs text-ink-2"
        title={original.targets.map(({ model }) => model).join('\n')}
      >
        {original.targets.map(({ model }) => model).join(', ')}
      </span>
    ),
    meta: { className: 'max-w-0 w-[38%]', wideOnly: true },
  }),
  column.accessor('strategy', {
    header: 'Strategy',
    cell: ({ getValue }) => <span className="text-ink-2">{strategies[getValue()].short}</span>,
    meta: { wideOnly: true },
  }),
  column.accessor((route) => stateOf(route).label, {
    id: 'state',
    header: 'State',
    cell: ({ row }) => <RouteState route={row.original} />,
  }),
  column.accessor(({ retry }) => retry.attempts, {
    id: 'retry',
    header: 'Retries',
    cell: ({ row }) => <span className="text-ink-2">{describeRetries(row.original).short}</span>,
    meta: { align: 'right', wideOnly: true },
  }),
]

/** The routes of the tenant. */
export function RouteSection({ search, onSearch }: SectionProps) {
  const isManager = useIsManager()
  const [isCreating, setCreating] = useState(false)
  const list = useInfiniteQuery(apiPages('/v1/routes', { limit: 200 }))
  const create = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      New route
    </Button>
  )
  return (
    <>
      {list.data
        ? !list.hasNextPage && <AvailabilitySummary routes={list.data} />
        : !list.error && <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />}
      <Section title="Routes" aside={list.data && list.data.length > 0 && create}>
        <DataTable
          label="Routes"
          columns={columns}
          rows={list.data}
          idOf={({ id }) => id}
          error={list.error}
          retry={() => void list.refetch()}
          onOpen={({ id }) => onSearch({ route: id }, search.route !== undefined)}
          openId={search.route}
          isDim={({ enabled }) => !enabled}
          sortable={!list.hasNextPage}
          more={{
            hasMore: list.hasNextPage,
            isLoading: list.isFetchingNextPage,
            load: () => void list.fetchNextPage(),
          }}
          skeletonRows={4}
          empty={
            <EmptyState title="No routes yet" action={create}>
              A route is a name that callers send as <code>model</code>, and the models behind it: fallbacks
              in order, or calls split by weight. Each attempt is checked against the caller’s limits and
              recorded.
            </EmptyState>
          }
        />
      </Section>
      {search.route !== undefined && (
        <RoutePanel
          key={search.route}
          id={search.route}
          onClose={() => onSearch({ route: undefined }, false)}
        />
      )}
      {isCreating && (
        <RouteForm
          route={null}
          onClose={() => setCreating(false)}
          onCreated={({ id }) => onSearch({ route: id }, false)}
        />
      )}
    </>
  )
}

/** States whether all routes have available targets. */
function AvailabilitySummary({ routes }: { routes: readonly Route[] }) {
  const enabled = routes.filter((route) => route.enabled)
  if (enabled.length === 0) return null
  const unavailable = enabled.filter((route) => stateOf(route).tone === 'bad')
  const degraded = enabled.filter((route) => stateOf(route).tone === 'warn')
  const [first] = unavailable
  const [other] = degraded
  return (
    <Headline>
      {first && unavailable.length === 1 ? (
        <>
          <b>{first.name}</b> has no available target: {stateOf(first).label}.
        </>
      ) : first ? (
        <>
          <b>{plural(unavailable.length, 'route')}</b> have no available target.
        </>
      ) : other && degraded.length === 1 ? (
        <>
          <b>{other.name}</b> has unavailable targets: {stateOf(other).label}.
        </>
      ) : other ? (
        <>
          <b>{plural(degraded.length, 'route')}</b> have unavailable targets.
        </>
      ) : (
        <>
          <b>{plural(enabled.length, 'route')}</b>, and every target is available.
        </>
      )}
    </Headline>
  )
}
