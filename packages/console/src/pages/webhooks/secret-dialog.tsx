import { Button, CopyButton, Dialog, Snippet, Tabs } from '../../components'
import { TestAnswer, useTest } from './test-endpoint'
import type { Endpoint } from './use-webhooks'
import { verificationTexts } from './verification-texts'

interface SecretDialogProps {
  endpoint: Endpoint & { secret: string }
  onClose(): void
}

/** A new endpoint: its secret, how to verify deliveries, and a test. */
export function SecretDialog({ endpoint, onClose }: SecretDialogProps) {
  const isChat = endpoint.type === 'chat'
  const test = useTest(endpoint)
  return (
    <Dialog
      open
      ignoresOutsideClicks
      onClose={onClose}
      width="lg"
      title={`Webhook “${endpoint.name}” created`}
      footer={
        <>
          <div className="mr-auto self-center">
            <TestAnswer test={test} />
          </div>
          <Button onClick={() => test.mutate()} isBusy={test.isPending}>
            Send a test
          </Button>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      {isChat ? (
        <p className="m-0">
          Chat tools do not check signatures, so there is nothing to copy. Send a test message to the channel.
        </p>
      ) : (
        <SecretAndUse secret={endpoint.secret} />
      )}
    </Dialog>
  )
}

/** The signing secret, and how to use it. */
function SecretAndUse({ secret }: { secret: string }) {
  return (
    <div className="flex flex-col gap-4">
      <div>
        <p className="m-0 mb-1.5">
          The signing secret, shown once. Set it in the receiver as <code>TALLYSTICK_WEBHOOK_SECRET</code>:
        </p>
        <Secret value={secret} />
      </div>
      <div>
        <p className="m-0 mb-1.5">Verify each delivery in the receiver:</p>
        <Tabs
          label="Verify in"
          tabs={verificationTexts.map(({ id, label, code }) => ({
            id,
            label,
            children: <Snippet code={code} />,
          }))}
        />
      </div>
    </div>
  )
}

export const Secret = ({ value }: { value: string }) => (
  <div className="flex items-center gap-2 rounded-md border border-accent bg-accent-soft py-2 pr-2 pl-3">
    <code className="min-w-0 flex-1 !text-sm break-all" data-secret>
      {value}
    </code>
    <CopyButton text={value} />
  </div>
)
