import { useState } from 'react'
import { Button } from '../../../components'
import type { Policy } from '../policy'
import { TrialPanel } from '../trial/trial-panel'

interface HttpTrialProps {
  policy: Policy | null
  isChanged: boolean
  policies: readonly Policy[]
}

/** Tests a policy with an external service. To avoid a call per keystroke, it runs only for a saved policy and on demand. */
export function HttpTrial({ policy, isChanged, policies }: HttpTrialProps) {
  const [isStarted, setStarted] = useState(false)
  const isReady = policy?.enabled === true && !isChanged
  return (
    <TrialPanel
      draft={null}
      policies={policies}
      notice={
        isReady && isStarted ? undefined : (
          <div className="flex flex-col items-start gap-2 text-sm text-ink-2">
            {isReady
              ? 'Your service is called while you type, with dryRun: true, together with all enabled policies.'
              : 'Save and enable the policy to test your service.'}
            {isReady && <Button onClick={() => setStarted(true)}>Call the service</Button>}
          </div>
        )
      }
    />
  )
}
