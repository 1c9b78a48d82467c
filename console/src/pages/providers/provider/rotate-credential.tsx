import { type FormEvent, useState } from 'react'
import { Button, ErrorState, faultsOf, isBesideFields, Status, Step, Steps } from '../../../parts'
import type { Credential, Provider } from '../use-providers'
import { CredentialFields, useAddCredential } from './add-credential'
import { RemoveCredential } from './credentials'
import { CredentialState } from './states'
import { TestAnswer, useTest } from './test-provider'

interface RotateCredentialProps {
  provider: Provider
  oldId: string
  successorId: string | undefined
  onSuccessor(id: string): void
  onEnd(): void
}

/** One credential takes the place of another without a call that fails. Where one is, is in the address. */
export function RotateCredential({
  provider,
  oldId,
  successorId,
  onSuccessor,
  onEnd,
}: RotateCredentialProps) {
  const [isRemoving, setRemoving] = useState(false)
  const old = provider.credentials.find(({ id }) => id === oldId)
  const successor = provider.credentials.find(({ id }) => id === successorId)
  const test = useTest(provider)
  const isTested = test.data !== undefined && worksBeside(test.data, old, successor)
  const at = successor === undefined ? 0 : old === undefined ? 3 : isTested ? 2 : 1
  return (
    <>
      <p className="m-0 mb-5 text-sm text-ink-2">
        A new credential takes the place of {old ? <b className="font-medium">{old.name}</b> : 'the old one'}.
        Both are used until you remove the old one, so no call fails.
      </p>
      <Steps>
        <Step n={0} at={at} title="Add the new one">
          {successor ? (
            <Shown credential={successor} />
          ) : (
            <AddSuccessor
              provider={provider}
              weight={old?.weight ?? 1}
              onAdded={({ id }) => onSuccessor(id)}
            />
          )}
        </Step>
        <Step n={1} at={at} title="See it work">
          {successor && (
            <div className="flex flex-col items-start gap-2">
              {old && (
                <Button
                  size="sm"
                  kind={isTested ? 'plain' : 'primary'}
                  onClick={() => test.mutate()}
                  isBusy={test.isPending}
                >
                  Test both
                </Button>
              )}
              {isTested && test.data?.ok === false ? (
                <Status tone="ok">The new one works; the old one is refused</Status>
              ) : (
                <TestAnswer test={test} />
              )}
              {successor.status !== 'active' && successor.lastError && (
                <p className="m-0 text-sm text-bad">{successor.lastError.message}</p>
              )}
            </div>
          )}
        </Step>
        <Step n={2} at={at} title="Remove the old one" isLast>
          {successor && old && (
            <Button size="sm" kind={isTested ? 'primary' : 'danger'} onClick={() => setRemoving(true)}>
              {isTested ? `Remove ${old.name}` : 'Remove it without a test'}
            </Button>
          )}
          {successor && !old && (
            <p className="m-0 text-ink-2">
              Done: only {successor.name} is used. Delete the old one at the vendor, too.
            </p>
          )}
        </Step>
      </Steps>
      <Button size="sm" className="mt-6" onClick={onEnd}>
        {at === 3 ? 'Back to the provider' : 'Leave it for now'}
      </Button>
      {isRemoving && old && (
        <RemoveCredential provider={provider} credential={old} onClose={() => setRemoving(false)} />
      )}
    </>
  )
}

/** Each credential is tried, and the first that fails is told of. One that is refused rests: that of the old one is why it is replaced. */
const worksBeside = (
  { ok, error }: { ok: boolean; error: string | null },
  old: Credential | undefined,
  successor: Credential | undefined,
) =>
  successor?.status === 'active' &&
  (ok || (old?.status === 'resting' && error?.startsWith(`Credential ${old.name}: `) === true))

const Shown = ({ credential }: { credential: Credential }) => (
  <p className="m-0 flex flex-wrap items-center gap-x-3 text-ink-2">
    <span>
      {credential.name}
      {credential.hint !== '' && (
        <>
          , ends in <code>{credential.hint}</code>
        </>
      )}
    </span>
    <CredentialState credential={credential} />
  </p>
)

const fields = ['name', 'value', 'weight']

function AddSuccessor({
  provider,
  weight,
  onAdded,
}: {
  provider: Provider
  weight: number
  onAdded(credential: Credential): void
}) {
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const add = useAddCredential(provider, onAdded)
  const send = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ name, value, weight })
  }
  return (
    <form onSubmit={send} className="grid gap-3" autoComplete="off">
      <CredentialFields
        type={provider.type}
        name={name}
        onName={setName}
        value={value}
        onValue={setValue}
        faultOf={faultsOf(add.error)}
      />
      {add.error && !isBesideFields(add.error, fields) && <ErrorState error={add.error} />}
      <span>
        <Button kind="primary" size="sm" type="submit" isBusy={add.isPending}>
          Add it
        </Button>
      </span>
    </form>
  )
}
