import { useState } from 'react'
import { Confirm, Status, Switch } from '../../components'
import { useIsManager } from '../../session'
import { useHitsSentence } from './hits'
import type { Policy } from './policy'
import { useSetEnabled } from './use-changes'

/** Enables or disables a policy. Disabling asks for confirmation and states how many calls it matched. */
export function EnabledSwitch({ policy }: { policy: Policy }) {
  const isManager = useIsManager()
  const [isConfirming, setConfirming] = useState(false)
  const change = useSetEnabled(policy.id)
  if (!isManager)
    return <Status tone={policy.enabled ? 'ok' : 'neutral'}>{policy.enabled ? 'yes' : 'no'}</Status>
  const set = (enabled: boolean) => change.mutate({ enabled }, { onSettled: () => setConfirming(false) })
  return (
    <>
      <Switch
        checked={policy.enabled}
        disabled={change.isPending}
        label={policy.enabled ? 'yes' : 'no'}
        name={`${policy.name} enabled`}
        onChecked={(checked) => (checked ? set(true) : setConfirming(true))}
      />
      {isConfirming && (
        <ConfirmDisable
          policy={policy}
          isBusy={change.isPending}
          onClose={() => setConfirming(false)}
          onConfirm={() => set(false)}
        />
      )}
    </>
  )
}

interface ConfirmDisableProps {
  policy: Policy
  isBusy: boolean
  onClose(): void
  onConfirm(): void
}

function ConfirmDisable({ policy, ...confirm }: ConfirmDisableProps) {
  const hits = useHitsSentence(policy.id)
  return (
    <Confirm open title={`Disable “${policy.name}”?`} action="Disable" {...confirm}>
      {hits}. Once disabled, it lets all of them pass. You can enable it again.
    </Confirm>
  )
}
