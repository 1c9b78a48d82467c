import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { Button, Confirm } from '../../parts'
import { Force } from './force'
import { useHitsInWords } from './hits'
import type { Policy } from './policy'
import { useDelete, useRotate } from './use-changes'

/** What can be done with a policy beside changing it. */
export function EditorActions({ policy, onSecret }: { policy: Policy; onSecret(secret: string): void }) {
  const [asking, setAsking] = useState<'delete' | 'rotate' | null>(null)
  const navigate = useNavigate({ from: '/policies' })
  const hits = useHitsInWords(policy.id)
  const remove = useDelete(policy.id)
  const rotate = useRotate(policy.id)
  const close = () => setAsking(null)
  return (
    <>
      <span className="inline-flex items-center gap-2 text-sm text-ink-2">
        In force <Force policy={policy} />
      </span>
      <span className="ml-auto flex gap-2">
        {policy.kind === 'http' && <Button onClick={() => setAsking('rotate')}>Rotate secret</Button>}
        <Button kind="danger" onClick={() => setAsking('delete')}>
          Delete
        </Button>
      </span>
      <Confirm
        open={asking === 'delete'}
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
        {hits}; {policy.enabled ? 'from now on it lets all of them pass' : 'it is not in force now'}. Receipts
        keep its id and version. This cannot be undone; to stop it for a while, put it out of force.
      </Confirm>
      <Confirm
        open={asking === 'rotate'}
        onClose={close}
        title={`Give “${policy.name}” a new secret?`}
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
        Requests to your service are signed with the new secret at once, and no longer with the old one: until
        your service knows it, it will refuse them, and calls that it judges are{' '}
        {'onError' in policy.config && policy.config.onError === 'allow'
          ? 'blocked unless it answers 5xx'
          : 'blocked'}
        .
      </Confirm>
    </>
  )
}
