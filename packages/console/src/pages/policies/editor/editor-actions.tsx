import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Confirm } from '../../../components'
import { EnabledSwitch } from '../enabled-switch'
import { useHitsSentence } from '../hits'
import { kinds } from '../kinds'
import type { Policy } from '../policy'
import { useDelete, useRotate } from '../use-changes'

/** Enables, disables or deletes a policy, and rotates its secret. */
export function EditorActions({ policy, onSecret }: { policy: Policy; onSecret(secret: string): void }) {
  const [confirming, setConfirming] = useState<'delete' | 'rotate' | null>(null)
  const navigate = useNavigate({ from: '/policies' })
  const hits = useHitsSentence(policy.id)
  const remove = useDelete(policy.id)
  const rotate = useRotate(policy.id)
  const close = () => setConfirming(null)
  return (
    <>
      <span className="inline-flex items-center gap-2 text-sm text-ink-2">
        Enabled <EnabledSwitch policy={policy} />
      </span>
      <span className="ml-auto flex gap-2">
        {kinds[policy.kind].callsService && (
          <Button onClick={() => setConfirming('rotate')}>Rotate secret</Button>
        )}
        <Button kind="danger" onClick={() => setConfirming('delete')}>
          Delete
        </Button>
      </span>
      <Confirm
        open={confirming === 'delete'}
        onClose={close}
        title={`Delete “${policy.name}”?`}
        action="Delete"
        isBusy={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => void navigate({ search: ({ policy: _, ...now }) => now }),
            onError: close,
          })
        }
      >
        {hits}. {policy.enabled ? 'Once deleted, it no longer acts on calls' : 'It is disabled now'}. Receipts
        keep its id and version. This cannot be undone. To pause it, disable it instead.
      </Confirm>
      <Confirm
        open={confirming === 'rotate'}
        onClose={close}
        title={`Rotate the secret of “${policy.name}”?`}
        action="Rotate"
        isBusy={rotate.isPending}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: ({ secret }) => {
              close()
              onSecret(secret)
            },
            onError: close,
          })
        }
      >
        Requests to your service are signed with the new secret immediately. Until your service accepts it, it
        rejects them, and calls that it checks are{' '}
        {'onError' in policy.config && policy.config.onError === 'allow'
          ? 'blocked unless it answers 5xx'
          : 'blocked'}
        .
      </Confirm>
    </>
  )
}
