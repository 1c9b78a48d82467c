import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { apiPages } from '../../api'
import { Button, EmptyState, Headline, Section, Skeleton } from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'
import { EndpointForm } from './endpoint-form'
import { EndpointPanel } from './endpoint-panel'
import { EndpointTable } from './endpoint-table'
import type { WebhooksSearch } from './search'
import { SecretDialog } from './secret-dialog'
import type { Endpoint } from './use-webhooks'

export default function WebhooksPage() {
  const search: WebhooksSearch = useSearch({ from: '/app/webhooks' })
  const navigate = useNavigate({ from: '/webhooks' })
  const isManager = useIsManager()
  const list = useInfiniteQuery(apiPages('/v1/webhook-endpoints', { limit: 100 }))
  const [isCreating, setCreating] = useState(false)
  const [created, setCreated] = useState<(Endpoint & { secret: string }) | null>(null)
  const setSearch = (change: WebhooksSearch, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const create = isManager && (
    <Button kind="primary" icon={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
      New webhook
    </Button>
  )
  return (
    <>
      <DeliverySummary endpoints={list.data} hasMore={list.hasNextPage} hasFailed={list.error !== null} />
      <Section title="Endpoints" aside={list.data && list.data.length > 0 && create}>
        <EndpointTable
          list={{
            rows: list.data,
            error: list.error,
            retry: () => void list.refetch(),
            more: {
              hasMore: list.hasNextPage,
              isLoading: list.isFetchingNextPage,
              load: () => void list.fetchNextPage(),
            },
          }}
          openId={search.endpoint}
          onOpen={({ id }) =>
            setSearch({ endpoint: id, delivery: undefined, status: undefined }, search.endpoint !== undefined)
          }
          empty={
            <EmptyState title="No webhooks yet" action={create}>
              A webhook notifies a chat channel or your own receiver when a budget is nearly used up, a policy
              blocks a call or usage spikes. Each event is sent once, and retried until it is delivered.
            </EmptyState>
          }
        />
      </Section>
      {search.endpoint !== undefined && (
        <EndpointPanel
          key={search.endpoint}
          id={search.endpoint}
          search={search}
          onSearch={setSearch}
          onClose={() => setSearch({ endpoint: undefined, delivery: undefined, status: undefined }, false)}
        />
      )}
      {isCreating && (
        <EndpointForm endpoint={null} onClose={() => setCreating(false)} onCreated={setCreated} />
      )}
      {created && (
        <SecretDialog
          endpoint={created}
          onClose={() => {
            setCreated(null)
            setSearch({ endpoint: created.id }, false)
          }}
        />
      )}
    </>
  )
}

/** States whether deliveries succeed. */
function DeliverySummary({
  endpoints,
  hasMore,
  hasFailed,
}: {
  endpoints: readonly Endpoint[] | undefined
  hasMore: boolean
  hasFailed: boolean
}) {
  if (!endpoints) return hasFailed ? null : <Skeleton className="mb-6 h-9 w-[28rem] max-w-full" />
  if (endpoints.length === 0 || hasMore) return null
  const failing = endpoints.filter(
    ({ enabled, lastDelivery }) =>
      enabled && (lastDelivery?.status === 'dead' || lastDelivery?.status === 'retrying'),
  )
  const silent = endpoints.filter(({ enabled }) => !enabled)
  const [first] = failing
  return (
    <Headline>
      {first && failing.length === 1 ? (
        <>
          <b>{first.name}</b> is failing: {first.lastDelivery?.error ?? 'no response'}.
        </>
      ) : failing.length > 1 ? (
        <>
          <b>{failing.length} webhooks</b> are failing.
        </>
      ) : silent.length === endpoints.length ? (
        'Every webhook is disabled: no events are sent.'
      ) : (
        <>
          <b>{plural(endpoints.length - silent.length, 'webhook is', 'webhooks are')} enabled</b> and not
          failing.
        </>
      )}
    </Headline>
  )
}
