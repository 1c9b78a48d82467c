import { Field, Select, TextField } from '../../../components'
import { readText } from './fields'
import { type ConfigFormProps, defineKind, judgesCalls } from './kind'

interface Fields {
  url: string
  timeoutMs: string
  onError: 'block' | 'allow'
}

export const http = defineKind<Fields>({
  name: 'External service',
  description: 'calls your guardrail over HTTP',
  ...judgesCalls,
  callsService: true,
  read: ({ url, timeoutMs, onError }) => ({
    url: readText(url),
    timeoutMs: readText(timeoutMs, '1000'),
    onError: onError === 'allow' ? 'allow' : 'block',
  }),
  write: ({ url, timeoutMs, onError }) => ({ url: url.trim(), timeoutMs: Number(timeoutMs), onError }),
  isFilledIn: ({ url }) => url.trim() !== '',
  Form: Http,
})

function Http({ fields, onChange, errorOf, disabled }: ConfigFormProps<Fields>) {
  return (
    <>
      <TextField
        label="URL of your service"
        hint="Receives the texts and returns { violation, reason }. Requests are signed; the secret is shown once, when the policy is created."
        value={fields.url}
        onValue={(url) => onChange({ url })}
        error={errorOf('config.url')}
        disabled={disabled}
        placeholder="https://guard.example.com/check"
        inputMode="url"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Timeout (milliseconds)"
          hint="50 to 10,000"
          inputMode="numeric"
          value={fields.timeoutMs}
          onValue={(timeoutMs) => onChange({ timeoutMs: timeoutMs.replace(/\D/g, '') })}
          error={errorOf('config.timeoutMs')}
          disabled={disabled}
          className="num"
        />
        <Field
          label="On failure"
          hint="Not reachable, timed out, or returned 429 or 5xx"
          error={errorOf('config.onError')}
        >
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={fields.onError}
              onValue={(onError) => onChange({ onError })}
              disabled={disabled}
              choices={[
                { value: 'block', label: 'Block the call' },
                { value: 'allow', label: 'Allow the call' },
              ]}
            />
          )}
        </Field>
      </div>
    </>
  )
}
