import { useMutation } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { api, expectSuccess } from '../../../api'
import { Button, Confirm, ErrorState, Menu, notify, Section, Time } from '../../../components'
import { formatShare, plural } from '../../../format'
import { type Credential, type Provider, useRefresh } from '../use-providers'
import { AddCredential } from './add-credential'
import { CredentialState, isBuiltIn, isRejected } from './states'

interface CredentialsProps {
  provider: Provider
  mayChange: boolean
  onRotate(credential: Credential): void
}

/** The credentials of a provider and their status. */
export function Credentials({ provider, mayChange, onRotate }: CredentialsProps) {
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Credential | null>(null)
  const { credentials } = provider
  const inUse = credentials.filter(({ status }) => status === 'active')
  const weights = inUse.reduce((sum, { weight }) => sum + weight, 0)
  return (
    <Section
      title="Credentials"
      note={credentials.length > 0 ? 'stored encrypted; the last characters are shown' : undefined}
      aside={
        mayChange && (
          <Button size="sm" icon={<Plus size={13} aria-hidden />} onClick={() => setAdding(true)}>
            Add a credential
          </Button>
        )
      }
    >
      {credentials.length === 0 ? (
        <p className="m-0 border-t border-rule py-3 text-sm text-ink-2">
          {provider.auth === 'caller'
            ? 'Not needed: callers send their own.'
            : isBuiltIn(provider)
              ? 'Not needed: it is part of the service.'
              : 'None: calls are sent without a credential. Your own server may accept them; vendors reject them.'}
        </p>
      ) : (
        <ul aria-label="Credentials" className="m-0 list-none border-t border-rule p-0 text-sm">
          {credentials.map((credential) => (
            <li key={credential.id} className="border-b border-rule py-2">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <span className="font-medium">{credential.name}</span>
                {credential.hint !== '' && <code className="text-ink-3">…{credential.hint}</code>}
                <CredentialState credential={credential} />
                <span className="ml-auto flex items-center gap-2">
                  {credentials.length > 1 && credential.status === 'active' && (
                    <span className="num text-xs text-ink-3">
                      {formatShare(credential.weight / weights)} of calls
                    </span>
                  )}
                  {mayChange && (
                    <Menu
                      trigger={
                        <Button size="sm" aria-label={`Actions for ${credential.name}`}>
                          …
                        </Button>
                      }
                      items={[
                        { label: 'Rotate', onSelect: () => onRotate(credential) },
                        { label: 'Remove', tone: 'bad', onSelect: () => setRemoving(credential) },
                      ]}
                    />
                  )}
                </span>
              </div>
              <p className="m-0 mt-0.5 text-xs text-ink-3">
                <CredentialNote credential={credential} />
              </p>
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddCredential provider={provider} onClose={() => setAdding(false)} />}
      {removing && (
        <RemoveCredential provider={provider} credential={removing} onClose={() => setRemoving(null)} />
      )}
    </Section>
  )
}

/** Why a credential is paused and what ends that, or when it was added. */
function CredentialNote({ credential }: { credential: Credential }) {
  const { status, lastError, createdAt } = credential
  if (status === 'undecryptable')
    return 'Its master key is missing: restore the key, or replace the credential.'
  if (lastError !== null && status === 'resting')
    return (
      <>
        <span className={isRejected(credential) ? 'text-bad' : 'text-warn'}>{lastError.message}</span>,{' '}
        <Time at={lastError.at} />.{' '}
        {isRejected(credential)
          ? 'Retried every few minutes. Rotate it if it is wrong.'
          : 'Paused for as long as the provider asked.'}
      </>
    )
  if (lastError !== null)
    return (
      <>
        Active again; last error: {lastError.status} <Time at={lastError.at} />.
      </>
    )
  if (createdAt === null) return 'From the configuration.'
  return (
    <>
      Added <Time at={createdAt} />.
    </>
  )
}

export function RemoveCredential({
  provider,
  credential,
  onClose,
}: {
  provider: Provider
  credential: Credential
  onClose(): void
}) {
  const refresh = useRefresh()
  const remove = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.DELETE('/v1/providers/{id}/credentials/{cid}', {
          params: { path: { id: provider.id, cid: credential.id } },
        }),
      ),
    async onSuccess() {
      await refresh()
      notify(`Credential ${credential.name} removed`)
      onClose()
    },
  })
  const others = provider.credentials.filter(({ id }) => id !== credential.id)
  const working = others.filter(({ status }) => status === 'active')
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Remove “${credential.name}”?`}
      action={working.length === 0 ? 'Remove: calls will fail' : 'Remove'}
      onConfirm={() => remove.mutate()}
      isBusy={remove.isPending}
    >
      <p className="m-0">
        {others.length === 0
          ? `It is the only credential of ${provider.name}: later calls to it will fail.`
          : working.length === 0
            ? `No other credential works: later calls to ${provider.name} will fail.`
            : `Its calls go to the other ${working.length === 1 ? 'credential' : `${plural(working.length, 'credential')}`}; no call fails.`}
      </p>
      <p className="m-0 mt-2 text-ink-2">
        Its value is erased here. It stays valid at the vendor until you delete it there.
      </p>
      {remove.error && <ErrorState error={remove.error} className="mt-3" />}
    </Confirm>
  )
}
