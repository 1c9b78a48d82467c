import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../../api'
import {
  Button,
  Confirm,
  ErrorState,
  Menu,
  notify,
  notifyError,
  SidePanel,
  Skeleton,
} from '../../../components'
import { useIsManager } from '../../../session'
import type { ProvidersSearch } from '../search'
import { type LastDay, type Provider, useRefresh } from '../use-providers'
import { Credentials } from './credentials'
import { CallsOfLastDay, DeleteProvider } from './delete-provider'
import { ProviderForm } from './provider-form'
import { ProviderOverview } from './provider-overview'
import { RotateCredential } from './rotate-credential'
import { isBuiltIn, ProviderState, SourceTag } from './states'
import { TestAnswer, useTest } from './test-provider'

interface ProviderPanelProps {
  id: string
  lastDay: LastDay
  search: ProvidersSearch
  onSearch(change: ProvidersSearch, replace?: boolean): void
  onClose(): void
}

/** The side panel of a provider: settings, actions and credentials. */
export function ProviderPanel(props: ProviderPanelProps) {
  const { data, error, refetch } = useQuery(
    apiQuery('/v1/providers/{id}', { params: { path: { id: props.id } } }),
  )
  const name = data?.name ?? 'Provider'
  return (
    <SidePanel
      open
      onClose={props.onClose}
      label={name}
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <span className="truncate">{name}</span>
          {data && (
            <span className="text-sm font-normal">
              <ProviderState provider={data} />
            </span>
          )}
          {data && <SourceTag provider={data} />}
        </span>
      }
    >
      {data ? (
        <Detail {...props} provider={data} />
      ) : error ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </SidePanel>
  )
}

function Detail({
  provider,
  lastDay,
  search,
  onSearch,
  onClose,
}: ProviderPanelProps & { provider: Provider }) {
  const mayChange = useIsManager() && provider.source === 'api'
  if (mayChange && search.rotate !== undefined)
    return (
      <RotateCredential
        provider={provider}
        oldId={search.rotate}
        successorId={search.successor}
        onSuccessor={(successor) => onSearch({ successor })}
        onEnd={() => onSearch({ rotate: undefined, successor: undefined })}
      />
    )
  return (
    <>
      <ProviderOverview provider={provider} lastDay={lastDay} />
      {provider.secretStatus === 'undecryptable' && (
        <p className="m-0 mt-4 border-l-2 border-bad py-1 pl-3 text-sm">
          Its headers cannot be decrypted because the master key is missing, so it is not called. Set the
          headers again, or restore the key.
        </p>
      )}
      <Actions provider={provider} lastDay={lastDay} onDeleted={onClose} />
      <Credentials
        provider={provider}
        mayChange={mayChange}
        onRotate={({ id }) => onSearch({ rotate: id, successor: undefined }, false)}
      />
    </>
  )
}

interface ActionsProps {
  provider: Provider
  lastDay: LastDay
  onDeleted(): void
}

function Actions({ provider, lastDay, onDeleted }: ActionsProps) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'change' | 'disable' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const test = useTest(provider)
  const enable = useEnable(provider, close)
  if (!isManager) return <div className="mb-8" />
  return (
    <div className="mt-4 mb-7">
      <div className="flex flex-wrap gap-2">
        <Button size="sm" kind="primary" onClick={() => test.mutate()} isBusy={test.isPending}>
          Test
        </Button>
        {provider.source === 'api' && (
          <>
            <Button size="sm" onClick={() => setOpen('change')}>
              Edit
            </Button>
            <Menu
              align="start"
              trigger={<Button size="sm">More …</Button>}
              items={[
                provider.enabled
                  ? { label: 'Disable', onSelect: () => setOpen('disable') }
                  : { label: 'Enable', onSelect: () => enable.mutate(true) },
                { label: 'Delete', tone: 'bad', onSelect: () => setOpen('delete') },
              ]}
            />
          </>
        )}
      </div>
      <div className="mt-2 min-h-5">
        {test.isIdle ? (
          <p className="m-0 text-xs text-ink-3">
            {isBuiltIn(provider)
              ? 'It is part of a local trial and cannot be changed. '
              : provider.source === 'config'
                ? 'It is part of the service’s configuration, where the operator changes it. '
                : ''}
            A test is free and is not recorded as a call.
          </p>
        ) : (
          <TestAnswer test={test} />
        )}
      </div>
      {open === 'change' && <ProviderForm provider={provider} onClose={close} />}
      {open === 'disable' && (
        <Confirm
          open
          onClose={close}
          title={`Disable “${provider.name}”?`}
          action="Disable"
          onConfirm={() => enable.mutate(false)}
          isBusy={enable.isPending}
        >
          <CallsOfLastDay name={provider.name} lastDay={lastDay} /> Routes skip its models. Calls in progress
          continue.
        </Confirm>
      )}
      {open === 'delete' && (
        <DeleteProvider provider={provider} lastDay={lastDay} onClose={close} onDeleted={onDeleted} />
      )}
    </div>
  )
}

function useEnable({ id, name }: Provider, onDone: () => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (enabled: boolean) =>
      await expectSuccess(api.PATCH('/v1/providers/{id}', { params: { path: { id } }, body: { enabled } })),
    async onSuccess({ enabled }) {
      await refresh()
      notify(`${name} is ${enabled ? 'enabled' : 'disabled'}`)
      onDone()
    },
    onError: (error) => notifyError(`${name} not changed`, error),
  })
}
