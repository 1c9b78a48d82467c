import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, type components, expectSuccess } from '../../api'
import { plural } from '../../format'
import { Button, Confirm, ErrorState, faultsOf, Section, Skeleton, say, TextField, Time } from '../../parts'
import { useIsManager } from '../../session'

type Capture = components['schemas']['ContentCapture']
type Mode = Capture['mode']

const modes: readonly { mode: Mode; name: string; says: string }[] = [
  {
    mode: 'off',
    name: 'Keep nothing',
    says: 'Calls are counted, priced and signed. What was said is not stored.',
  },
  {
    mode: 'redacted',
    name: 'Keep what policies let through',
    says: 'Requests as they were forwarded, and answers, without anything that a policy redacted. Nothing of calls that were refused.',
  },
  {
    mode: 'full',
    name: 'Keep everything',
    says: 'Requests as callers sent them and answers as they saw them, personal data and secrets included.',
  },
]

/** What is kept of what calls say. Managers set it, auditors see it. */
export function ContentCapture() {
  const { data, error, refetch } = useQuery(ask('/v1/settings/content-capture'))
  return (
    <Section
      title="What is kept of what calls say"
      note={
        data?.updatedAt && (
          <>
            set <Time at={data.updatedAt} />
          </>
        )
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-56" />
      ) : (
        <CaptureSetting key={`${data.mode} ${data.retentionDays}`} stored={data} />
      )}
      <p className="m-0 mt-4 max-w-prose text-xs leading-5 text-ink-3">
        What is kept is encrypted, deleted in time and with the person, and shown to managers and auditors
        alone; each reading is an entry of the audit log. The record says when it was on, never what was said.
      </p>
    </Section>
  )
}

const CaptureSetting = ({ stored }: { stored: Capture }) =>
  useIsManager() ? <CaptureForm stored={stored} /> : <CaptureInForce stored={stored} />

/** For who may see it and not change it. */
function CaptureInForce({ stored }: { stored: Capture }) {
  const inForce = modes.find(({ mode }) => mode === stored.mode)
  return (
    <div className="border-y border-rule py-3 text-sm">
      <p className="m-0 font-medium">{inForce?.name}</p>
      <p className="m-0 text-ink-2">
        {inForce?.says}
        {stored.mode !== 'off' && ` It is deleted after ${plural(stored.retentionDays, 'day')}.`}
      </p>
    </div>
  )
}

function CaptureForm({ stored }: { stored: Capture }) {
  const [mode, setMode] = useState<Mode>(stored.mode)
  const [days, setDays] = useState(String(stored.retentionDays))
  const [isAsking, setAsking] = useState(false)
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: async () =>
      await expectSuccess(
        api.PUT('/v1/settings/content-capture', { body: { mode, retentionDays: Number(days) } }),
      ),
    onSuccess: async () => {
      say(mode === 'off' ? 'Nothing is kept from now on' : 'It holds for calls that begin from now on')
      await queries.invalidateQueries({ queryKey: ['/v1/settings/content-capture'] })
    },
    onSettled: () => setAsking(false),
  })
  const isWhole = /^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 365
  const isChanged = mode !== stored.mode || (mode !== 'off' && Number(days) !== stored.retentionDays)
  return (
    <>
      <fieldset className="m-0 border-0 p-0">
        <legend className="sr-only">What is kept</legend>
        {modes.map((each) => (
          <label
            key={each.mode}
            className="grid cursor-pointer grid-cols-[16px_1fr] gap-x-3 border-b border-rule py-3 first-of-type:border-t hover:bg-sunken"
          >
            <input
              type="radio"
              name="capture-mode"
              className="mt-[3px] size-3.5 accent-[var(--accent)]"
              checked={mode === each.mode}
              onChange={() => setMode(each.mode)}
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{each.name}</span>
              <span className="block text-sm text-ink-2">{each.says}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {mode !== 'off' && (
        <div className="mt-4 w-56 max-w-full">
          <TextField
            label="Delete it after so many days"
            inputMode="numeric"
            value={days}
            onValue={setDays}
            fault={faultsOf(change.error)('retentionDays') ?? (isWhole ? null : 'from 1 to 365')}
            hint="also what is there already"
          />
        </div>
      )}
      {change.error !== null && <ErrorState error={change.error} className="mt-3" />}
      {isChanged && (
        <div className="mt-4 flex gap-2">
          <Button kind="primary" disabled={mode !== 'off' && !isWhole} onClick={() => setAsking(true)}>
            Change …
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              setMode(stored.mode)
              setDays(String(stored.retentionDays))
            }}
          >
            Leave it
          </Button>
        </div>
      )}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`${modes.find((each) => each.mode === mode)?.name}?`}
        action={mode === 'off' ? 'Keep nothing from now on' : 'Keep it from now on'}
        kind={mode === 'full' ? 'danger' : 'primary'}
        isBusy={change.isPending}
        onConfirm={() => change.mutate()}
      >
        <p className="m-0">{consequenceOf(stored, mode, Number(days))}</p>
      </Confirm>
    </>
  )
}

/** What will happen, before it does. */
function consequenceOf(stored: Capture, mode: Mode, days: number): string {
  if (mode === 'off')
    return `Calls that begin from now on leave nothing of what they say. What is there stays until its ${plural(stored.retentionDays, 'day')} are over.`
  const kept = `Calls of every key that begin from now on are kept for ${plural(days, 'day')}${mode === 'full' ? ', with whatever personal data and secrets are in them' : ', as policies leave them'}.`
  const shorter =
    stored.mode !== 'off' && days < stored.retentionDays
      ? ' What is older than that is deleted within minutes.'
      : ''
  return `${kept}${shorter} The change becomes an entry of the record.`
}
