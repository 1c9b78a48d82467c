import { useMutation, useQuery } from '@tanstack/react-query'
import ExternalLink from 'lucide-react/icons/external-link'
import { useEffect, useState } from 'react'
import { api, apiQuery, expectSuccess } from '../../../api'
import {
  Button,
  Confirm,
  ErrorState,
  notify,
  Skeleton,
  Status,
  TextField,
  Time,
  useDraftForm,
} from '../../../components'
import { type Server, serverPaths, useRefreshServers } from '../use-servers'

/** The properties of a server that connecting an account requires. */
export type AccountServer = Pick<Server, 'id' | 'name' | 'auth'>

/** Whether each user calls the server with their own credential. */
export const hasOwnAccount = ({ auth }: AccountServer) => auth.type === 'header' || auth.type === 'oauth'

const path = '/v1/mcp-servers/{id}/credential'

/** The user's account at a server, with buttons to connect and disconnect it. */
export function OwnAccount({ server }: { server: AccountServer }) {
  const { id } = server
  const [isLeaving, setLeaving] = useState(false)
  const refresh = useRefreshServers()
  const { credential, onAway } = useCredential(server, refresh)
  const disconnect = useMutation({
    mutationFn: async () => await expectSuccess(api.DELETE(path, { params: { path: { id } } })),
    async onSuccess() {
      setLeaving(false)
      await refresh()
      notify(`Your account at ${server.name} is disconnected`)
    },
  })
  if (credential.error && !credential.data)
    return <ErrorState error={credential.error} retry={() => void credential.refetch()} />
  if (!credential.data) return <Skeleton className="h-14" />
  const { connected, expiresAt, updatedAt } = credential.data
  return (
    <div className="border-t border-rule pt-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {connected ? <Status tone="ok">connected</Status> : <Status tone="warn">not connected</Status>}
        <span className="text-ink-2">
          {connected ? (
            <>
              since <Time at={updatedAt} />
              {expiresAt !== null && (
                <>
                  , expires <Time at={expiresAt} />
                </>
              )}
            </>
          ) : (
            'Calls to its tools with your keys are rejected until you connect.'
          )}
        </span>
        {connected && (
          <Button size="sm" onClick={() => setLeaving(true)}>
            Disconnect
          </Button>
        )}
      </div>
      {server.auth.type === 'oauth' ? (
        <Connect server={server} isAgain={connected} onAway={onAway} />
      ) : (
        <StoreValue server={server} isAgain={connected} />
      )}
      <Confirm
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title={`Disconnect from ${server.name}?`}
        action="Disconnect"
        onConfirm={() => disconnect.mutate()}
        isBusy={disconnect.isPending}
      >
        Your stored credential is erased, and later calls to its tools with your keys are rejected. At{' '}
        {server.name} it stays valid until you revoke it there.
        {disconnect.error && <ErrorState error={disconnect.error} className="mt-3" />}
      </Confirm>
    </div>
  )
}

const pollMs = 2_000

/** While the user gives consent in another window, the credential is polled. */
function useCredential({ id, name }: AccountServer, refresh: () => Promise<void>) {
  /** When the credential was stored before the user left; undefined while no consent is pending. */
  const [before, setBefore] = useState<string | null>()
  const credential = useQuery({
    ...apiQuery(path, { params: { path: { id } } }),
    refetchInterval: before === undefined ? false : pollMs,
  })
  const updatedAt = credential.data?.updatedAt ?? null
  const isBack = before !== undefined && credential.data?.connected === true && updatedAt !== before
  useEffect(() => {
    if (!isBack) return
    setBefore(undefined)
    void refresh()
    notify(`Your account at ${name} is connected`)
  }, [isBack, refresh, name])
  return { credential, onAway: () => setBefore(updatedAt) }
}

interface ConnectProps {
  server: AccountServer
  isAgain: boolean
  onAway(): void
}

/** Starts the consent at the server in a new window. */
function Connect({ server: { id, name }, isAgain, onAway }: ConnectProps) {
  const connect = useMutation({
    mutationFn: async () =>
      await expectSuccess(api.POST('/v1/mcp-servers/{id}/connect', { params: { path: { id } } })),
    onSuccess({ url }) {
      onAway()
      window.open(url, '_blank', 'noopener')
    },
  })
  return (
    <div className="mt-3">
      <Button
        kind={isAgain ? 'plain' : 'primary'}
        icon={<ExternalLink size={14} aria-hidden />}
        isBusy={connect.isPending}
        onClick={() => connect.mutate()}
      >
        {isAgain ? 'Connect again' : `Connect to ${name}`}
      </Button>
      <p className="m-0 mt-1.5 text-xs text-ink-3">
        {connect.data && !isAgain ? (
          <>
            Continue in the new window, or with{' '}
            <a className="link" href={connect.data.url} target="_blank" rel="noreferrer noopener">
              this link
            </a>
            , within one hour.
          </>
        ) : (
          `You sign in at ${name} and give consent. The tokens are stored encrypted, for you alone.`
        )}
      </p>
      {connect.error && <ErrorState error={connect.error} className="mt-2" />}
    </div>
  )
}

/** The value is dropped after it was sent. */
function StoreValue({ server: { id, name, auth }, isAgain }: { server: AccountServer; isAgain: boolean }) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ value: '' }),
    toBody: (draft) => draft,
    create: async (body) => await expectSuccess(api.PUT(path, { params: { path: { id } }, body })),
    invalidates: serverPaths,
    message: () => `Your account at ${name} is connected`,
    onSaved: (): void => form.reset(),
  })
  const header = auth.header ?? 'authorization'
  return (
    <form {...form.props} className="mt-3 flex max-w-md flex-wrap items-start gap-2">
      <div className="min-w-0 flex-1 basis-60">
        <TextField
          label={isAgain ? `New value of ${header}` : `Value of ${header}`}
          type="password"
          {...form.field('value')}
          placeholder={header === 'authorization' ? 'Bearer …' : undefined}
          hint="Stored encrypted, for you alone, and never shown again"
        />
      </div>
      <Button className="mt-[19.5px]" type="submit" isBusy={form.isSaving} disabled={form.draft.value === ''}>
        Save
      </Button>
      {form.summary !== null && <ErrorState error={form.summary} />}
    </form>
  )
}
