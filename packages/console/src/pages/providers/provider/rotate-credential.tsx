import { useState } from 'react'
import { Button, ErrorState, Status, Step, Steps } from '../../../components'
import type { Credential, Provider } from '../use-providers'
import { CredentialFields, useCredentialForm } from './add-credential'
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

/** Replaces a credential without failing calls. The current step is in the URL. */
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
  const isTested = test.data !== undefined && isSuccessorWorking(test.data, old, successor)
  const at = successor === undefined ? 0 : old === undefined ? 3 : isTested ? 2 : 1
  return (
    <>
      <p className="m-0 mb-5 text-sm text-ink-2">
        A new credential replaces {old ? <b className="font-medium">{old.name}</b> : 'the old one'}. Both are
        used until you remove the old one, so no call fails.
      </p>
      <Steps>
        <Step n={0} at={at} title="Add the new credential">
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
        <Step n={1} at={at} title="Test it">
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
                <Status tone="ok">The new credential works; the old one is rejected</Status>
              ) : (
                <TestAnswer test={test} />
              )}
              {successor.status !== 'active' && successor.lastError && (
                <p className="m-0 text-sm text-bad">{successor.lastError.message}</p>
              )}
            </div>
          )}
        </Step>
        <Step n={2} at={at} title="Remove the old credential" isLast>
          {successor && old && (
            <Button size="sm" kind={isTested ? 'primary' : 'danger'} onClick={() => setRemoving(true)}>
              {isTested ? `Remove ${old.name}` : 'Remove without testing'}
            </Button>
          )}
          {successor && !old && (
            <p className="m-0 text-ink-2">
              Done: only {successor.name} is used. Also delete the old credential at the vendor.
            </p>
          )}
        </Step>
      </Steps>
      <Button size="sm" className="mt-6" onClick={onEnd}>
        {at === 3 ? 'Back to the provider' : 'Continue later'}
      </Button>
      {isRemoving && old && (
        <RemoveCredential provider={provider} credential={old} onClose={() => setRemoving(false)} />
      )}
    </>
  )
}

/**
 * Whether the test shows that the new credential works. The test stops at the first failure, and a failure of the old one does not
 * matter.
 */
const isSuccessorWorking = (
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

interface AddSuccessorProps {
  provider: Provider
  weight: number
  onAdded(credential: Credential): void
}

function AddSuccessor({ provider, weight, onAdded }: AddSuccessorProps) {
  const form = useCredentialForm(provider, { weight, onSaved: onAdded })
  return (
    <form {...form.props} className="grid gap-3">
      <CredentialFields type={provider.type} name={form.field('name')} value={form.field('value')} />
      {form.summary !== null && <ErrorState error={form.summary} />}
      <span>
        <Button kind="primary" size="sm" type="submit" isBusy={form.isSaving}>
          Add credential
        </Button>
      </span>
    </form>
  )
}
