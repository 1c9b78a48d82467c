import { type DraftForm, TextAreaField, TextField } from '../../../components'
import type { Provider } from '../use-providers'
import {
  type LimitName,
  limitNames,
  type ProviderDraft,
  type TimeoutName,
  timeoutNames,
} from './provider-draft'

interface AdvancedFieldsProps {
  form: DraftForm<ProviderDraft>
  provider: Provider | null
}

const timeoutFields: Record<TimeoutName, { label: string; placeholder: string }> = {
  connectMs: { label: 'Connect (seconds)', placeholder: '5' },
  firstByteMs: { label: 'First byte (seconds)', placeholder: '600' },
  idleMs: { label: 'Idle (seconds)', placeholder: '120' },
  totalMs: { label: 'Total (seconds)', placeholder: '3600' },
}

const limitFields: Record<LimitName, { label: string; hint: string; placeholder: string }> = {
  maxStreamBytes: {
    label: 'Maximum stream size (MiB)',
    hint: 'A larger stream is ended with an error. What was received is charged',
    placeholder: '512',
  },
  maxAnswerBytes: {
    label: 'Maximum response size (MiB)',
    hint: 'At most 128: a response that is not streamed is held in memory',
    placeholder: '128',
  },
}

/** Settings that few providers need. Opens by itself if one of them has an error. */
export function AdvancedFields({ form, provider }: AdvancedFieldsProps) {
  const { draft, field, set, errorOf } = form
  const hasError = ['headers', 'dialects', 'timeouts', ...limitNames.map((name) => `limits.${name}`)].some(
    (path) => errorOf(path) !== null,
  )
  return (
    <details open={hasError || undefined} className="sm:col-span-2">
      <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
        Endpoints, headers, timeouts and sizes
      </summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-4">
        <div className="sm:col-span-4">
          <TextField
            label="Endpoints"
            {...field('dialects')}
            placeholder="all endpoints of its type"
            hint="For example chat, responses, embeddings, messages"
            className="mono !text-xs"
          />
        </div>
        <div className="sm:col-span-4">
          <TextAreaField
            label="Headers"
            {...field('headers')}
            hint={
              provider && provider.headers.length > 0
                ? `Replaces the stored headers: ${provider.headers.map(({ name }) => name).join(', ')}`
                : 'One per line, name: value. Sent with every call; values are stored encrypted'
            }
            rows={2}
            className="mono !text-xs"
            placeholder="openai-organization: org-…"
          />
        </div>
        {timeoutNames.map((name) => (
          <TextField
            key={name}
            {...timeoutFields[name]}
            value={draft.timeouts[name]}
            onValue={(value) => set({ timeouts: { ...draft.timeouts, [name]: value } })}
            error={errorOf(`timeouts.${name}`)}
            inputMode="decimal"
          />
        ))}
        {limitNames.map((name) => (
          <div key={name} className="sm:col-span-2">
            <TextField
              {...limitFields[name]}
              value={draft.limits[name]}
              onValue={(value) => set({ limits: { ...draft.limits, [name]: value } })}
              error={errorOf(`limits.${name}`)}
              inputMode="decimal"
            />
          </div>
        ))}
      </div>
    </details>
  )
}
