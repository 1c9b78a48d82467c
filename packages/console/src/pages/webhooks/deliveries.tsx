import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { api, expectSuccess, queryKeyOf } from '../../api'
import { Button, cx, Dot, EmptyState, ErrorState, Section, Select, Skeleton, Time } from '../../components'
import { plural } from '../../format'
import { DeliveryDetail } from './delivery-detail'
import type { DeliveryStatus, WebhooksSearch } from './search'
import { type Delivery, deliveryNames, deliveryTones, type Endpoint, nameOfDelivery } from './use-webhooks'

interface DeliveriesProps {
  endpoint: Endpoint
  search: WebhooksSearch
  onSearch(change: WebhooksSearch): void
}

/** The deliveries to an endpoint, newest first; one can be expanded. */
export function Deliveries({ endpoint, search, onSearch }: DeliveriesProps) {
  const { status } = search
  const list = useDeliveries(endpoint.id, status)
  return (
    <Section
      title="Deliveries"
      aside={
        <Select<DeliveryStatus | ''>
          label="Status"
          value={status ?? ''}
          onValue={(next) => onSearch({ status: next === '' ? undefined : next, delivery: undefined })}
          choices={[
            { value: '', label: 'All' },
            { value: 'dead', label: 'Failed' },
            { value: 'retrying', label: 'Retrying' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
          ]}
        />
      }
    >
      {list.error && !list.data ? (
        <ErrorState error={list.error} retry={() => void list.refetch()} />
      ) : !list.data ? (
        <Skeleton className="h-40" />
      ) : list.data.length === 0 ? (
        <EmptyState title={status ? `No ${deliveryNames[status]} deliveries` : 'No deliveries yet'}>
          {!status &&
            'Deliveries appear here when a subscribed event occurs. You can send a test at any time.'}
        </EmptyState>
      ) : (
        <ul className="m-0 list-none border-t border-rule p-0 text-sm">
          {list.data.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              delivery={delivery}
              endpoint={endpoint}
              isOpen={search.delivery === delivery.id}
              onToggle={() =>
                onSearch({ delivery: search.delivery === delivery.id ? undefined : delivery.id })
              }
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => void list.fetchNextPage()}
          isBusy={list.isFetchingNextPage}
        >
          Show more
        </Button>
      )}
    </Section>
  )
}

const path = '/v1/webhook-endpoints/{id}/deliveries'

function useDeliveries(id: string, status: DeliveryStatus | undefined) {
  return useInfiniteQuery({
    queryKey: [...queryKeyOf(path, { id, status }), 'pages'],
    queryFn: async ({ signal, pageParam }) =>
      await expectSuccess(
        api.GET(path, {
          params: {
            path: { id },
            query: { limit: 25, ...(status && { status }), ...(pageParam !== '' && { cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    select: ({ pages }) => pages.flatMap(({ data }) => data),
    placeholderData: keepPreviousData,
    // Pending deliveries are polled.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) =>
        data.some(({ status }) => status === 'pending' || status === 'retrying'),
      )
        ? 5_000
        : false,
  })
}

interface DeliveryRowProps {
  delivery: Delivery
  endpoint: Endpoint
  isOpen: boolean
  onToggle(): void
}

function DeliveryRow({ delivery, endpoint, isOpen, onToggle }: DeliveryRowProps) {
  const { event, status, statusCode, attempts, lastAttemptAt, createdAt } = delivery
  return (
    <li className="border-b border-rule">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex min-h-9 w-full items-center gap-2.5 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <ChevronRight
          size={14}
          aria-hidden
          className={cx('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
        />
        <Dot tone={deliveryTones[status]} />
        <code className="min-w-0 truncate">{event}</code>
        <span className="ml-auto shrink-0 text-xs text-ink-3">
          {nameOfDelivery(delivery)}
          {statusCode !== null && <span className="num"> · {statusCode}</span>}
          {attempts > 1 && ` · ${plural(attempts, 'attempt')}`}
        </span>
        <Time at={lastAttemptAt ?? createdAt} className="w-20 shrink-0 text-right text-xs text-ink-3" />
      </button>
      {isOpen && <DeliveryDetail endpoint={endpoint} delivery={delivery} />}
    </li>
  )
}
