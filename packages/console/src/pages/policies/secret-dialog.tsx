import { Button, Dialog, Snippet } from '../../components'

/** Shows the signing secret of an external service once. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose(): void }) {
  return (
    <Dialog
      open={secret !== null}
      onClose={onClose}
      title="Signing secret"
      description="Shown once. If you lose it, rotate it."
      width="lg"
      footer={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <Snippet code={secret ?? ''} />
      <p className="m-0 mt-3 text-ink-2">
        Each request to your service carries <code>X-Tallystick-Signature</code>, an HMAC of its body with
        this secret. Verify it, so that nobody else can call your service.
      </p>
    </Dialog>
  )
}
