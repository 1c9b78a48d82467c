import { useState } from 'react'
import { Confirm, Status, Switch } from '../../parts'
import { useIsManager } from '../../session'
import { useHitsInWords } from './hits'
import type { Policy } from './policy'
import { useChange } from './use-changes'

/** Whether a policy is in force. To put it out of force asks, and says what it did so far. */
export function Force({ policy }: { policy: Policy }) {
  const isManager = useIsManager()
  const [isAsking, setAsking] = useState(false)
  const change = useChange(policy.id)
  if (!isManager)
    return <Status tone={policy.enabled ? 'ok' : 'neutral'}>{policy.enabled ? 'yes' : 'no'}</Status>
  const set = (enabled: boolean) => change.mutate({ enabled }, { onSettled: () => setAsking(false) })
  return (
    <>
      <Switch
        checked={policy.enabled}
        disabled={change.isPending}
        label={policy.enabled ? 'yes' : 'no'}
        name={`${policy.name} in force`}
        onChecked={(checked) => (checked ? set(true) : setAsking(true))}
      />
      {isAsking && (
        <PutOut
          policy={policy}
          isBusy={change.isPending}
          onClose={() => setAsking(false)}
          onConfirm={() => set(false)}
        />
      )}
    </>
  )
}

function PutOut({
  policy,
  isBusy,
  onClose,
  onConfirm,
}: {
  policy: Policy
  isBusy: boolean
  onClose(): void
  onConfirm(): void
}) {
  const hits = useHitsInWords(policy.id)
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Put “${policy.name}” out of force?`}
      action="Put out of force"
      onConfirm={onConfirm}
      isBusy={isBusy}
    >
      {hits}; from now on it lets all of them pass. It is kept, and can be put in force again.
    </Confirm>
  )
}
