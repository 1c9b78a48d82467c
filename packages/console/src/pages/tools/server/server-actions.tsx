import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import RotateCw from 'lucide-react/icons/rotate-cw'
import { useState } from 'react'
import { api, expectSuccess } from '../../../api'
import { Button, Confirm, ErrorState, Menu, notify, notifyError } from '../../../components'
import { keepFocus } from '../../../components/overlay/keep-focus'
import { formatInteger, plural } from '../../../format'
import { useIsManager } from '../../../session'
import { type LastDay, type Server, useRefreshServers, useRefreshTools } from '../use-servers'
import { ServerForm } from './server-form'

/** The actions of a manager. A server from the configuration file cannot be changed here. */
export function ServerActions({ server, lastDay }: { server: Server; lastDay: LastDay }) {
  const isManager = useIsManager()
  const [open, setOpen] = useState<'change' | 'disable' | 'delete' | null>(null)
  const close = () => setOpen(null)
  const refresh = useRefreshTools(server, { mayRefresh: isManager })
  const enable = useEnable(server, close)
  if (!isManager) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        icon={<RotateCw size={14} aria-hidden />}
        onClick={() => refresh.mutate()}
        isBusy={refresh.isPending}
        disabled={!server.enabled}
      >
        Refresh tools
      </Button>
      {server.source === 'api' && (
        <>
          <Button onClick={() => setOpen('change')}>Edit</Button>
          <Menu
            trigger={<Button>More …</Button>}
            items={[
              server.enabled
                ? { label: 'Disable', onSelect: () => setOpen('disable') }
                : { label: 'Enable', onSelect: () => enable.mutate(true) },
              { label: 'Delete', tone: 'bad', onSelect: () => setOpen('delete') },
            ]}
          />
        </>
      )}
      {open === 'change' && <ServerForm server={server} onClose={close} />}
      {open === 'disable' && (
        <Confirm
          open
          onClose={close}
          title={`Disable “${server.name}”?`}
          action="Disable"
          onConfirm={() => enable.mutate(false)}
          isBusy={enable.isPending}
        >
          <CallsToFail server={server} lastDay={lastDay} /> Approvals are kept.
        </Confirm>
      )}
      {open === 'delete' && <DeleteServer server={server} lastDay={lastDay} onClose={close} />}
    </div>
  )
}

function CallsToFail({ server, lastDay }: { server: Server; lastDay: LastDay }) {
  const calls = lastDay.callsOf(server.name)
  if (calls === undefined) return 'Its tools can no longer be called.'
  if (calls === 0) return 'Its tools were not called in the last day.'
  return (
    <>
      <b className="num font-semibold">{formatInteger(calls)}</b> {calls === 1 ? 'call' : 'calls'} in the last
      day used its tools; such calls will start to fail within a second.
    </>
  )
}

function DeleteServer({ server, lastDay, onClose }: { server: Server; lastDay: LastDay; onClose(): void }) {
  const refresh = useRefreshServers()
  const navigate = useNavigate({ from: '/tools' })
  const { id, name } = server
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.DELETE('/v1/mcp-servers/{id}', { params: { path: { id } } })),
    async onSuccess() {
      onClose()
      await navigate({ search: ({ server: _, tool: __, ...now }) => now, replace: true })
      await refresh()
      keepFocus()
      notify(`Server “${name}” deleted`)
    },
  })
  const calls = lastDay.callsOf(name) ?? 0
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Delete “${name}”?`}
      action={calls === 0 ? 'Delete server' : `Delete: ${plural(calls, 'call')} a day will fail`}
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending || lastDay.isLoading}
    >
      <p className="m-0">
        <CallsToFail server={server} lastDay={lastDay} />
      </p>
      <p className="m-0 mt-2 text-ink-2">
        Its approvals and everyone’s credentials for it are deleted. Its calls and receipts stay.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}

function useEnable({ id, name }: Server, onDone: () => void) {
  const refresh = useRefreshServers()
  return useMutation({
    mutationFn: async (enabled: boolean) =>
      await expectSuccess(api.PATCH('/v1/mcp-servers/{id}', { params: { path: { id } }, body: { enabled } })),
    async onSuccess({ enabled }) {
      await refresh()
      notify(`${name} is ${enabled ? 'enabled' : 'disabled'}`)
      onDone()
    },
    onError: (error) => notifyError(`${name} not changed`, error),
  })
}
