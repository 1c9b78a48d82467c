import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, apiQuery, type components, expectSuccess } from '../../api'
import {
  Button,
  Confirm,
  ErrorState,
  Section,
  Skeleton,
  TextField,
  Time,
  useDraftForm,
} from '../../components'
import { plural } from '../../format'
import { useIsManager } from '../../session'

type Capture = components['schemas']['ContentCapture']
type Mode = Capture['mode']

const modes: readonly { mode: Mode; name: string; description: string }[] = [
  {
    mode: 'off',
    name: 'Off',
    description: 'Calls are counted, priced and signed. Their content is not stored.',
  },
  {
    mode: 'redacted',
    name: 'Redacted',
    description:
      'Stores requests as forwarded and responses, without what policies redacted. Nothing of blocked calls.',
  },
  {
    mode: 'full',
    name: 'Full',
    description:
      'Stores requests as callers sent them and responses as they received them, including personal data and secrets.',
  },
]

/** The content capture setting. Managers may change it, auditors may read it. */
export function ContentCapture() {
  const { data, error, refetch } = useQuery(apiQuery('/v1/settings/content-capture'))
  return (
    <Section
      title="Content capture"
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
        Stored content is encrypted, deleted after its retention and with the person, and visible to managers
        and auditors only. Each access is in the audit log. The record shows when capture was on, never the
        content.
      </p>
    </Section>
  )
}

const CaptureSetting = ({ stored }: { stored: Capture }) =>
  useIsManager() ? <CaptureForm stored={stored} /> : <CurrentCapture stored={stored} />

/** The read-only view for auditors. */
function CurrentCapture({ stored }: { stored: Capture }) {
  const inForce = modes.find(({ mode }) => mode === stored.mode)
  return (
    <div className="border-y border-rule py-3 text-sm">
      <p className="m-0 font-medium">{inForce?.name}</p>
      <p className="m-0 text-ink-2">
        {inForce?.description}
        {stored.mode !== 'off' && ` It is deleted after ${plural(stored.retentionDays, 'day')}.`}
      </p>
    </div>
  )
}

const inRange = (days: string) => /^\d+$/.test(days) && Number(days) >= 1 && Number(days) <= 365

function CaptureForm({ stored }: { stored: Capture }) {
  const [isConfirming, setConfirming] = useState(false)
  const form = useDraftForm({
    record: stored,
    toDraft: () => ({ mode: stored.mode, days: String(stored.retentionDays) }),
    toBody: ({ mode, days }) => ({ mode, retentionDays: Number(days) }),
    paths: { days: 'retentionDays', mode: null },
    // PUT replaces the whole setting, so both members are sent.
    update: async (changes, { mode, retentionDays }) =>
      await expectSuccess(
        api.PUT('/v1/settings/content-capture', { body: { mode, retentionDays, ...changes } }),
      ),
    invalidates: ['/v1/settings/content-capture'],
    message: ({ mode }) => (mode === 'off' ? 'Content is no longer stored' : 'Saved. Applies to new calls'),
  })
  const { mode, days } = form.draft
  const isWhole = inRange(days)
  const isChanged = mode !== stored.mode || (mode !== 'off' && Number(days) !== stored.retentionDays)
  return (
    <>
      <fieldset className="m-0 border-0 p-0">
        <legend className="sr-only">Content capture</legend>
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
              onChange={() => form.set({ mode: each.mode })}
            />
            <span className="min-w-0">
              <span className="block text-sm font-medium">{each.name}</span>
              <span className="block text-sm text-ink-2">{each.description}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {mode !== 'off' && (
        <div className="mt-4 w-56 max-w-full">
          <TextField
            label="Retention (days)"
            inputMode="numeric"
            {...form.field('days')}
            error={form.errorOf('retentionDays') ?? (isWhole ? null : 'Enter a number from 1 to 365')}
            hint="Also applies to content that is already stored"
          />
        </div>
      )}
      {form.summary !== null && <ErrorState error={form.summary} className="mt-3" />}
      {isChanged && (
        <div className="mt-4 flex gap-2">
          <Button
            kind="primary"
            disabled={mode !== 'off' && !isWhole}
            isBusy={form.isSaving}
            onClick={() => setConfirming(true)}
          >
            Change …
          </Button>
          <Button kind="quiet" onClick={form.reset}>
            Cancel
          </Button>
        </div>
      )}
      <Confirm
        open={isConfirming}
        onClose={() => setConfirming(false)}
        title={`Set content capture to “${modes.find((each) => each.mode === mode)?.name}”?`}
        action={mode === 'off' ? 'Stop storing content' : 'Store content'}
        kind={mode === 'full' ? 'danger' : 'primary'}
        onConfirm={() => {
          setConfirming(false)
          form.submit()
        }}
      >
        <p className="m-0">{describeEffect(stored, mode, Number(days))}</p>
      </Confirm>
    </>
  )
}

/** What saving the setting will do. */
function describeEffect(stored: Capture, mode: Mode, days: number): string {
  if (mode === 'off')
    return `The content of new calls is not stored. Stored content stays until the end of its retention (${plural(stored.retentionDays, 'day')}).`
  const kept = `The content of new calls of every key is stored for ${plural(days, 'day')}${mode === 'full' ? ', including personal data and secrets' : ', as redacted by policies'}.`
  const shorter =
    stored.mode !== 'off' && days < stored.retentionDays ? ' Older content is deleted within minutes.' : ''
  return `${kept}${shorter} The change becomes an entry of the record.`
}
