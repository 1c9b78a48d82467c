import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, expectSuccess } from '../../api'
import { Button, cx, Dialog, ErrorState, Field, Select, Time } from '../../components'
import { Secret } from './secret-dialog'
import { TestAnswer, useTest } from './test-endpoint'
import { type Endpoint, useRefreshWebhooks } from './use-webhooks'

const overlaps = [
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
  { value: '0', label: 'not at all (ends immediately)' },
] as const
type Overlap = (typeof overlaps)[number]['value']

/** Rotates the signing secret in steps, so that every delivery can be verified. */
export function RotateSecret({ endpoint, onClose }: { endpoint: Endpoint; onClose(): void }) {
  const [overlap, setOverlap] = useState<Overlap>('24')
  const refresh = useRefreshWebhooks()
  const test = useTest(endpoint)
  const rotate = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.POST('/v1/webhook-endpoints/{id}/rotate-secret', {
          params: { path: { id: endpoint.id } },
          body: { overlapHours: Number(overlap) },
        }),
      ),
    onSuccess: refresh,
  })
  const rotated = rotate.data
  const at = rotated === undefined ? 0 : test.data?.delivered === true ? 3 : 1
  return (
    <Dialog
      open
      ignoresOutsideClicks={rotated !== undefined}
      onClose={onClose}
      width="lg"
      title={`Rotate the secret of ${endpoint.name}`}
      footer={
        <Button kind={at === 3 ? 'primary' : 'plain'} onClick={onClose}>
          {rotated === undefined ? 'Cancel' : 'Done'}
        </Button>
      }
    >
      <ol className="m-0 flex list-none flex-col gap-5 p-0">
        <Step n={1} isDone={at > 0} title="Rotate">
          {rotated === undefined ? (
            <div className="flex flex-col gap-3">
              <Field
                label="Keep signing with the old secret for"
                hint="Deliveries then carry two signatures; a receiver needs one of them."
              >
                {({ id }) => (
                  <Select<Overlap> id={id} value={overlap} onValue={setOverlap} choices={overlaps} />
                )}
              </Field>
              {overlap === '0' && (
                <p className="m-0 text-warn">
                  Receivers that still use the old secret will reject deliveries.
                </p>
              )}
              <div>
                <Button kind="primary" onClick={() => rotate.mutate()} isBusy={rotate.isPending}>
                  Create a new secret
                </Button>
              </div>
              {rotate.error && <ErrorState error={rotate.error} />}
            </div>
          ) : (
            <p className="m-0 text-ink-2">
              {rotated.previousSecretUntil === null ? (
                'The old one no longer signs.'
              ) : (
                <>
                  The old one also signs; it expires <Time at={rotated.previousSecretUntil} />.
                </>
              )}
            </p>
          )}
        </Step>
        <Step n={2} isDone={at === 3} title="Set it in the receiver">
          {rotated && (
            <>
              <p className="m-0 mb-1.5 text-ink-2">
                Shown once. It replaces the old one in <code>TALLYSTICK_WEBHOOK_SECRET</code>.
              </p>
              <Secret value={rotated.secret} />
            </>
          )}
        </Step>
        <Step n={3} isDone={at === 3} title="Send a test">
          {rotated && (
            <div className="flex flex-col items-start gap-2">
              <Button size="sm" onClick={() => test.mutate()} isBusy={test.isPending}>
                Send a test
              </Button>
              <TestAnswer test={test} />
            </div>
          )}
        </Step>
      </ol>
    </Dialog>
  )
}

function Step({
  n,
  title,
  isDone,
  children,
}: {
  n: number
  title: string
  isDone: boolean
  children?: React.ReactNode
}) {
  return (
    <li className="grid grid-cols-[20px_minmax(0,1fr)] gap-x-3">
      <span
        aria-hidden
        className={cx(
          'num flex size-5 items-center justify-center rounded-full border text-2xs font-semibold',
          isDone ? 'border-ok text-ok' : 'border-rule-2 text-ink-2',
        )}
      >
        {isDone ? '✓' : n}
      </span>
      <div>
        <p className={cx('m-0 font-medium', children ? 'mb-2' : 'text-ink-3')}>{title}</p>
        {children}
      </div>
    </li>
  )
}
