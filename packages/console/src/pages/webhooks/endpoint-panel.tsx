import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../api'
import {
  Button,
  Confirm,
  CopyButton,
  DescriptionItem,
  DescriptionList,
  ErrorState,
  Menu,
  notify,
  notifyError,
  SidePanel,
  Skeleton,
  Time,
} from '../../components'
import { keepFocus } from '../../components/overlay/keep-focus'
import { plural } from '../../format'
import { useIsManager } from '../../session'
import { Deliveries } from './deliveries'
import { EndpointForm } from './endpoint-form'
import { DeliveryRate, State } from './endpoint-table'
import { RotateSecret } from './rotate-secret'
import type { WebhooksSearch } from './search'
import { TestAnswer, useTest } from './test-endpoint'
import { type Endpoint, useRefreshWebhooks } from './use-webhooks'

interface EndpointPanelProps {
  id: string
  search: WebhooksSearch
  onSearch(change: WebhooksSearch): void
  onClose(): void
}

/** The side panel of an endpoint: settings, actions and deliveries. */
export function EndpointPanel({ id, search, onSearch, onClose }: EndpointPanelProps) {
  const endpoint = useQuery(apiQuery('/v1/webhook-endpoints/{id}', { params: { path: { id } } }))
  const name = endpoint.data?.name ?? 'Webhook'
  return (
    <SidePanel
      open
      onClose={onClose}
      label={name}
      title={
        <span className="flex min-w-0 items-center gap-3">
          <span className="truncate">{name}</span>
          {endpoint.data && (
            <span className="text-sm font-normal">
              <State endpoint={endpoint.data} />
            </span>
          )}
        </span>
      }
    >
      {endpoint.error && !endpoint.data ? (
        <ErrorState error={endpoint.error} retry={() => void endpoint.refetch()} />
      ) : endpoint.data ? (
        <Detail endpoint={endpoint.data} search={search} onSearch={onSearch} onClose={onClose} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </SidePanel>
  )
}

interface DetailProps {
  endpoint: Endpoint
  search: WebhooksSearch
  onSearch(change: WebhooksSearch): void
  onClose(): void
}

function Detail({ endpoint, search, onSearch, onClose }: DetailProps) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'change' | 'rotate' | 'disable' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const test = useTest(endpoint)
  const enable = useEnable(endpoint, close)
  return (
    <>
      <DescriptionList>
        <DescriptionItem name="URL">
          <span className="flex items-start gap-2">
            <code className="min-w-0 break-all">{endpoint.url}</code>
            <CopyButton text={endpoint.url} />
          </span>
        </DescriptionItem>
        <DescriptionItem name="Sends">
          {endpoint.type === 'chat'
            ? 'chat message, unsigned'
            : endpoint.envelope === 'cloudevents'
              ? 'CloudEvents 1.0, signed'
              : 'JSON event, signed'}
        </DescriptionItem>
        <DescriptionItem name="Events">
          {endpoint.events.map((event) => (
            <code key={event} className="block">
              {event}
            </code>
          ))}
        </DescriptionItem>
        <DescriptionItem name="Delivered, 7 days">
          <DeliveryRate counts={endpoint.lastWeek} />
        </DescriptionItem>
        <DescriptionItem name="Attempts">{plural(endpoint.maxAttempts, 'attempt')} at most</DescriptionItem>
        {endpoint.previousSecretUntil !== null && (
          <DescriptionItem name="Old secret">
            also signs, expires <Time at={endpoint.previousSecretUntil} />
          </DescriptionItem>
        )}
      </DescriptionList>
      {endpoint.secretStatus === 'undecryptable' && (
        <p className="m-0 mt-4 border-l-2 border-bad py-1 pl-3 text-sm">
          Its secret cannot be decrypted because the master key is missing, so nothing is sent. Rotate the
          secret, or restore the key.
        </p>
      )}
      {isManager ? (
        <div className="mt-4 mb-8">
          <div className="flex flex-wrap gap-2">
            <Button size="sm" kind="primary" onClick={() => test.mutate()} isBusy={test.isPending}>
              Send a test
            </Button>
            <Button size="sm" onClick={() => setOpen('change')}>
              Edit
            </Button>
            {endpoint.type === 'generic' && (
              <Button size="sm" onClick={() => setOpen('rotate')}>
                Rotate secret
              </Button>
            )}
            <Menu
              align="start"
              trigger={<Button size="sm">More …</Button>}
              items={[
                endpoint.enabled
                  ? { label: 'Disable', onSelect: () => setOpen('disable') }
                  : { label: 'Enable', onSelect: () => enable.mutate(true) },
                { label: 'Delete', tone: 'bad', onSelect: () => setOpen('delete') },
              ]}
            />
          </div>
          <div className="mt-2 min-h-5">
            <TestAnswer test={test} />
          </div>
        </div>
      ) : (
        <div className="mb-8" />
      )}
      <Deliveries endpoint={endpoint} search={search} onSearch={onSearch} />
      {open === 'change' && <EndpointForm endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} />}
      {open === 'disable' && (
        <Confirm
          open
          onClose={close}
          title={`Disable “${endpoint.name}”?`}
          action="Disable"
          onConfirm={() => enable.mutate(false)}
          isBusy={enable.isPending}
        >
          Nothing is sent while it is disabled. {describePendingDeliveries(endpoint)} Events in the meantime
          are not sent later.
          {enable.error && <ErrorState error={enable.error} className="mt-3" />}
        </Confirm>
      )}
      {open === 'delete' && <DeleteEndpoint endpoint={endpoint} onClose={close} onDeleted={onClose} />}
    </>
  )
}

const describePendingDeliveries = ({ lastWeek: { retrying } }: Endpoint) =>
  retrying === 0
    ? 'No deliveries are being retried.'
    : `${plural(retrying, 'delivery', 'deliveries')} will be retried when it is enabled again.`

function useEnable({ id, name }: Endpoint, onDone: () => void) {
  const refresh = useRefreshWebhooks()
  return useMutation({
    mutationFn: async (enabled: boolean) =>
      await expectSuccess(
        api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id } }, body: { enabled } }),
      ),
    async onSuccess({ enabled }) {
      await refresh()
      notify(`${name} is ${enabled ? 'enabled' : 'disabled'}`)
      onDone()
    },
    onError: (error) => notifyError(`${name} not changed`, error),
  })
}

interface DeleteEndpointProps {
  endpoint: Endpoint
  onClose(): void
  onDeleted(): void
}

function DeleteEndpoint({ endpoint, onClose, onDeleted }: DeleteEndpointProps) {
  const refresh = useRefreshWebhooks()
  const { id, name, lastWeek } = endpoint
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.DELETE('/v1/webhook-endpoints/{id}', { params: { path: { id } } })),
    async onSuccess() {
      onDeleted()
      await refresh()
      keepFocus()
      notify(`Webhook “${name}” deleted`)
    },
  })
  const sent = lastWeek.delivered + lastWeek.dead + lastWeek.retrying
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${name}”?`}
      action="Delete webhook"
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        It was sent {plural(sent, 'delivery', 'deliveries')} in the last week. Nothing more will be sent
        {lastWeek.retrying > 0 &&
          `, and ${plural(lastWeek.retrying, 'delivery', 'deliveries')} will not be retried`}
        . Its secret and deliveries are deleted.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
