import { Button, Dialog, Snippet } from '../../parts'

/** The secret of a guardrail, this once. It lives in this dialog alone. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose(): void }) {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title="The secret of your guardrail"
      description="Shown this once. If it is lost, rotate it."
      width="lg"
      footer={
        <Button kind="primary" onClick={onClose}>
          I have stored it
        </Button>
      }
    >
      <Snippet code={secret ?? ''} />
      <p className="m-0 mt-3 text-ink-2">
        Each request to your service carries <code>X-Tallystick-Signature</code>, an HMAC of its body with
        this secret. Verify it, so that nobody else can ask your service.
      </p>
    </Dialog>
  )
}
