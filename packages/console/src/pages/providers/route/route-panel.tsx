import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../../api'
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
} from '../../../components'
import { keepFocus } from '../../../components/overlay/keep-focus'
import { formatExactDuration } from '../../../format'
import { useIsManager } from '../../../session'
import { type Route, useRefresh } from '../use-providers'
import { describeCache, describeRetries, RouteState, stickyDescriptions, strategies } from './descriptions'
import { RouteForm } from './route-form'
import { RouteGraph } from './route-graph'

const refetchMs = 5_000

/** The side panel of a route: its targets and their state. */
export function RoutePanel({ id, onClose }: { id: string; onClose(): void }) {
  const { data, error, refetch } = useQuery({
    ...apiQuery('/v1/routes/{id}', { params: { path: { id } } }),
    // The end of a cooldown triggers no event, so the route is polled.
    refetchInterval: refetchMs,
  })
  const name = data?.name ?? 'Route'
  return (
    <SidePanel
      open
      onClose={onClose}
      label={name}
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <code className="min-w-0 truncate !text-base">{name}</code>
          {data && (
            <span className="text-sm font-normal">
              <RouteState route={data} />
            </span>
          )}
        </span>
      }
    >
      {data ? (
        <Detail route={data} onClose={onClose} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </SidePanel>
  )
}

function Detail({ route, onClose }: { route: Route; onClose(): void }) {
  const failed = route.targets.filter(({ lastError }) => lastError !== null)
  const cache = describeCache(route)
  return (
    <>
      <div className="mt-1 border-y border-rule py-3">
        <RouteGraph route={route} />
      </div>
      {failed.length > 0 && (
        <ul aria-label="Last errors" className="m-0 mt-3 list-none p-0 text-xs text-ink-2">
          {failed.map(({ model, lastError }) => (
            <li key={model} className="py-0.5">
              <code>{model}</code> last error: {lastError}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5">
        <DescriptionList>
          <DescriptionItem name="Model name">
            <span className="flex items-center gap-2">
              <code>"model": "{route.name}"</code>
              <CopyButton text={route.name} />
            </span>
          </DescriptionItem>
          <DescriptionItem name="Strategy">{strategies[route.strategy].long}</DescriptionItem>
          <DescriptionItem name="Retries">{describeRetries(route).long}</DescriptionItem>
          <DescriptionItem name="Timeout">
            {route.timeoutMs === null
              ? 'The timeouts of the providers'
              : `${formatExactDuration(route.timeoutMs)} for all attempts together`}
          </DescriptionItem>
          <DescriptionItem name="Sticky by">{stickyDescriptions[route.stickyBy]}</DescriptionItem>
          <DescriptionItem name="Response cache">{cache ?? 'Off'}</DescriptionItem>
        </DescriptionList>
      </div>
      <Actions route={route} onDeleted={onClose} />
      <p className="m-0 mt-4 text-xs text-ink-3">Health is reported per replica.</p>
    </>
  )
}

function Actions({ route, onDeleted }: { route: Route; onDeleted(): void }) {
  const isManager = useIsManager()
  const refresh = useRefresh()
  const [open, setOpen] = useState<'change' | 'disable' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const { id, name } = route
  const enable = useMutation({
    mutationFn: async (enabled: boolean) =>
      await expectSuccess(api.PATCH('/v1/routes/{id}', { params: { path: { id } }, body: { enabled } })),
    async onSuccess({ enabled }) {
      await refresh()
      notify(`Route ${name} is ${enabled ? 'enabled' : 'disabled'}`)
      close()
    },
    onError: (error) => notifyError(`Route ${name} not changed`, error),
  })
  const remove = useMutation({
    mutationFn: async () => await expectSuccess(api.DELETE('/v1/routes/{id}', { params: { path: { id } } })),
    async onSuccess() {
      onDeleted()
      await refresh()
      keepFocus()
      notify(`Route “${name}” deleted`)
    },
  })
  if (!isManager) return null
  return (
    <div className="mt-5 flex flex-wrap gap-2">
      <Button size="sm" kind="primary" onClick={() => setOpen('change')}>
        Edit
      </Button>
      <Menu
        align="start"
        trigger={<Button size="sm">More …</Button>}
        items={[
          route.enabled
            ? { label: 'Disable', onSelect: () => setOpen('disable') }
            : { label: 'Enable', onSelect: () => enable.mutate(true) },
          { label: 'Delete', tone: 'bad', onSelect: () => setOpen('delete') },
        ]}
      />
      {open === 'change' && <RouteForm route={route} onClose={close} />}
      {open === 'disable' && (
        <Confirm
          open
          onClose={close}
          title={`Disable “${name}”?`}
          action="Disable"
          onConfirm={() => enable.mutate(false)}
          isBusy={enable.isPending}
        >
          Calls that ask for <code>{name}</code> will start to fail within a second, unless a model has the
          same name.
        </Confirm>
      )}
      {open === 'delete' && (
        <Confirm
          open
          onClose={close}
          title={`Delete “${name}”?`}
          action="Delete route"
          onConfirm={() => remove.mutate()}
          isBusy={remove.isPending}
        >
          <p className="m-0">
            Calls that ask for <code>{name}</code> will start to fail within a second, unless a model has the
            same name. Its targets can be called as before.
          </p>
          {remove.error && <ErrorState error={remove.error} className="mt-3" />}
        </Confirm>
      )}
    </div>
  )
}
