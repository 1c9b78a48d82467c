import { Field, TextArea, TextField } from '../../../parts'
import type { Provider } from '../use-providers'
import {
  faultOfLimit,
  type LimitName,
  limitNames,
  type ProviderDraft,
  type TimeoutName,
  timeoutNames,
} from './provider-draft'

interface ProviderDetailsProps {
  draft: ProviderDraft
  onDraft(draft: ProviderDraft): void
  provider: Provider | null
  faultOf(field: string): string | null
}

const timeoutWords: Record<TimeoutName, { label: string; usual: string }> = {
  connectMs: { label: 'Connection, s', usual: '5' },
  firstByteMs: { label: 'First byte, s', usual: '600' },
  idleMs: { label: 'Between bytes, s', usual: '120' },
  totalMs: { label: 'Whole call, s', usual: '3600' },
}

const limitWords: Record<LimitName, { label: string; hint: string; usual: string }> = {
  maxStreamBytes: {
    label: 'Largest stream, MiB',
    hint: 'One that grows larger is ended with an error; what came is paid for',
    usual: '512',
  },
  maxAnswerBytes: {
    label: 'Largest answer in one piece, MiB',
    hint: 'At most 128: it is held in memory until all of it is there',
    usual: '128',
  },
}

/** What few have to touch. Open where something in it is wrong. */
export function ProviderDetails({ draft, onDraft, provider, faultOf }: ProviderDetailsProps) {
  const isWrong = ['headers', 'dialects', 'timeouts', 'limits'].some((field) => faultOf(field) !== null)
  return (
    <details open={isWrong || undefined} className="sm:col-span-2">
      <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
        Endpoints, headers, timeouts and sizes
      </summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-4">
        <div className="sm:col-span-4">
          <TextField
            label="Endpoints"
            value={draft.dialects}
            onValue={(dialects) => onDraft({ ...draft, dialects })}
            fault={faultOf('dialects')}
            placeholder="what its type answers"
            hint="Such as chat, responses, embeddings, messages"
            className="mono !text-xs"
          />
        </div>
        <div className="sm:col-span-4">
          <Field
            label="Headers"
            fault={faultOf('headers')}
            hint={
              provider && provider.headers.length > 0
                ? `What is typed here takes the place of ${provider.headers.map(({ name }) => name).join(', ')}`
                : 'One per line, name: value. They go with every call; values are stored encrypted'
            }
          >
            {(ids) => (
              <TextArea
                {...ids}
                rows={2}
                className="mono !text-xs"
                placeholder="openai-organization: org-…"
                value={draft.headers}
                onChange={({ target }) => onDraft({ ...draft, headers: target.value })}
              />
            )}
          </Field>
        </div>
        {timeoutNames.map((name) => (
          <TextField
            key={name}
            label={timeoutWords[name].label}
            value={draft.timeouts[name]}
            onValue={(value) => onDraft({ ...draft, timeouts: { ...draft.timeouts, [name]: value } })}
            fault={faultOf(`timeouts.${name}`)}
            inputMode="decimal"
            placeholder={timeoutWords[name].usual}
          />
        ))}
        {limitNames.map((name) => (
          <div key={name} className="sm:col-span-2">
            <TextField
              label={limitWords[name].label}
              value={draft.limits[name]}
              onValue={(value) => onDraft({ ...draft, limits: { ...draft.limits, [name]: value } })}
              fault={faultOfLimit(draft, name) ?? faultOf(`limits.${name}`)}
              hint={limitWords[name].hint}
              inputMode="decimal"
              placeholder={limitWords[name].usual}
            />
          </div>
        ))}
      </div>
    </details>
  )
}
