import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../api'
import { Button, ErrorState, Menu, notify, notifyError, SidePanel, Skeleton } from '../../components'
import { useIsManager } from '../../session'
import { DeleteSink } from './delete-sink'
import { SinkForm } from './form/sink-form'
import { SinkSettings } from './sink-settings'
import { State } from './sink-state'
import { TestAnswer, useTest } from './test-sink'
import { type Sink, useRefreshSinks } from './use-sinks'

interface SinkPanelProps {
  id: string
  onClose(): void
}

/** The side panel of a sink: settings, how far it is, and actions. */
export function SinkPanel({ id, onClose }: SinkPanelProps) {
  const sink = useQuery({
    ...apiQuery('/v1/sinks/{id}', { params: { path: { id } } }),
    refetchInterval: 5_000,
  })
  const name = sink.data?.name ?? 'Sink'
  return (
    <SidePanel
      open
      onClose={onClose}
      label={name}
      title={
        <span className="flex min-w-0 items-center gap-3">
          <span className="truncate">{name}</span>
          {sink.data && (
            <span className="text-sm font-normal">
              <State sink={sink.data} />
            </span>
          )}
        </span>
      }
    >
      {sink.error && !sink.data ? (
        <ErrorState error={sink.error} retry={() => void sink.refetch()} />
      ) : sink.data ? (
        <Detail sink={sink.data} onClose={onClose} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </SidePanel>
  )
}

function Detail({ sink, onClose }: { sink: Sink; onClose(): void }) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'change' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const test = useTest(sink)
  const enable = useEnable(sink)
  return (
    <>
      <SinkSettings sink={sink} />
      {isManager && (
        <div className="mt-6">
          <div className="flex flex-wrap gap-2">
            <Button size="sm" kind="primary" onClick={() => test.mutate()} isBusy={test.isPending}>
              Send a test
            </Button>
            <Button size="sm" onClick={() => setOpen('change')}>
              Edit
            </Button>
            <Button size="sm" onClick={() => enable.mutate(!sink.enabled)} isBusy={enable.isPending}>
              {sink.enabled ? 'Disable' : 'Enable'}
            </Button>
            <Menu
              align="start"
              trigger={<Button size="sm">More …</Button>}
              items={[{ label: 'Delete', tone: 'bad', onSelect: () => setOpen('delete') }]}
            />
          </div>
          <div className="mt-2 min-h-5">
            <TestAnswer test={test} />
          </div>
        </div>
      )}
      {open === 'change' && <SinkForm sink={sink} onClose={close} />}
      {open === 'delete' && <DeleteSink sink={sink} onClose={close} onDeleted={onClose} />}
    </>
  )
}

function useEnable({ id, name }: Sink) {
  const refresh = useRefreshSinks()
  return useMutation({
    mutationFn: async (enabled: boolean) =>
      await expectSuccess(api.PATCH('/v1/sinks/{id}', { params: { path: { id } }, body: { enabled } })),
    async onSuccess({ enabled }) {
      await refresh()
      notify(
        enabled ? `${name} is enabled` : `${name} is disabled. Once enabled, it continues where it stopped`,
      )
    },
    onError: (error) => notifyError(`${name} not changed`, error),
  })
}
