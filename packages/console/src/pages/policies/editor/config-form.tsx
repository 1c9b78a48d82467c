import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import {
  Button,
  cx,
  Field,
  IconButton,
  Input,
  Select,
  Switch,
  TextArea,
  TextField,
} from '../../../components'
import type { Kind } from '../policy'
import { entities, entityNames, type Fields, linesOf } from './config'
import { ExpressionField } from './expression-field'
import type { FieldErrorOf } from './field-errors'

export interface ConfigFormProps {
  kind: Kind
  fields: Fields
  onChange(change: Partial<Fields>): void
  errorOf: FieldErrorOf
  disabled: boolean
  canRestore: boolean
}

/** What a kind of policy can be told. */
export function ConfigForm(props: ConfigFormProps) {
  const { kind, fields, onChange, errorOf, disabled } = props
  switch (kind) {
    case 'model_allowlist':
    case 'model_denylist':
      return (
        <Lines
          label={kind === 'model_allowlist' ? 'Allowed models' : 'Denied models'}
          hint="One per line. A trailing * matches anything: anthropic/*"
          value={fields.models}
          onValue={(models) => onChange({ models })}
          error={errorOf('config.models')}
          disabled={disabled}
          placeholder={'gpt-5.6\nanthropic/*'}
        />
      )
    case 'keywords':
      return (
        <>
          <Lines
            label="Words or phrases"
            hint="One per line, matched as whole words: cat does not match concatenate."
            value={fields.words}
            onValue={(words) => onChange({ words })}
            error={errorOf('config.words')}
            disabled={disabled}
            placeholder="project nightfall"
          />
          <Switch
            label="Case-sensitive"
            checked={fields.caseSensitive}
            onChecked={(caseSensitive) => onChange({ caseSensitive })}
            disabled={disabled}
          />
          <Restore {...props} />
        </>
      )
    case 'pattern':
      return (
        <>
          <Patterns {...props} />
          <Restore {...props} />
        </>
      )
    case 'pii':
      return (
        <>
          <Entities {...props} />
          <Restore {...props} />
        </>
      )
    case 'secrets':
      return (
        <>
          <p className="m-0 text-sm text-ink-2">
            Provider and cloud keys, private keys, tokens, passwords in URLs. Detected by format and checksum;
            there is nothing to configure.
          </p>
          <Restore {...props} />
        </>
      )
    case 'limits':
      return <Limits {...props} />
    case 'tools':
      return <Tools {...props} />
    case 'expression':
      return (
        <ExpressionField
          value={fields.cel}
          onValue={(cel) => onChange({ cel })}
          error={errorOf('config.cel')}
          disabled={disabled}
        />
      )
    case 'http':
      return <Http {...props} />
  }
}

function Lines({
  label,
  hint,
  value,
  onValue,
  error,
  disabled,
  placeholder,
}: {
  label: string
  hint: string
  value: string
  onValue(value: string): void
  error: string | undefined
  disabled: boolean
  placeholder?: string
}) {
  const rows = Math.min(12, Math.max(4, value.split('\n').length + 1))
  const count = linesOf(value).length
  return (
    <Field label={count > 1 ? `${label} (${count})` : label} hint={hint} error={error}>
      {(ids) => (
        <TextArea
          {...ids}
          rows={rows}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          disabled={disabled}
          placeholder={placeholder}
          className="mono !text-sm"
        />
      )}
    </Field>
  )
}

/** Only where something is redacted from requests. */
function Restore({ canRestore, fields, onChange, errorOf, disabled }: ConfigFormProps) {
  if (!canRestore) return null
  const error = errorOf('config.restore')
  return (
    <div>
      <Switch
        label="Restore in the response"
        checked={fields.restore}
        onChecked={(restore) => onChange({ restore })}
        disabled={disabled}
      />
      <p className={cx('m-0 mt-1 text-xs', error ? 'text-bad' : 'text-ink-3')}>
        {error ?? 'The provider sees the placeholder; the caller sees the original value in the response.'}
      </p>
    </div>
  )
}

function Entities({ fields, onChange, errorOf, disabled }: ConfigFormProps) {
  const error = errorOf('config.entities')
  return (
    <fieldset className="m-0 border-0 p-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Entities</legend>
      <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
        {entities.map((entity) => (
          <label key={entity} className="flex items-center gap-2 text-sm">
            <input
              type="checkbox"
              className="accent-accent"
              checked={fields.entities.includes(entity)}
              onChange={({ target }) =>
                onChange({
                  entities: entities.filter((each) =>
                    each === entity ? target.checked : fields.entities.includes(each),
                  ),
                })
              }
            />
            {entityNames[entity]}
          </label>
        ))}
      </div>
      <p className={cx('m-0 mt-1 text-xs', error ? 'text-bad' : 'text-ink-3')}>
        {error ?? 'Card numbers and IBANs are verified by their check digits.'}
      </p>
    </fieldset>
  )
}

function Patterns({ fields, onChange, errorOf, disabled }: ConfigFormProps) {
  const id = useId()
  const set = (at: number, change: Partial<Fields['patterns'][number]>) =>
    onChange({ patterns: fields.patterns.map((each, n) => (n === at ? { ...each, ...change } : each)) })
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-[8rem_1fr_28px] gap-2 text-xs font-medium text-ink-2">
        <span id={`${id}-name`}>Name</span>
        <span id={`${id}-regex`}>Regular expression</span>
      </div>
      {fields.patterns.map(({ name, regex }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are edited in place
        <div key={at}>
          <div className="grid grid-cols-[8rem_1fr_28px] items-center gap-2">
            <Input
              aria-labelledby={`${id}-name`}
              value={name}
              disabled={disabled}
              placeholder="badge"
              aria-invalid={errorOf(`config.patterns.${at}.name`) ? true : undefined}
              onChange={({ target }) => set(at, { name: target.value })}
            />
            <Input
              aria-labelledby={`${id}-regex`}
              className="mono"
              value={regex}
              disabled={disabled}
              placeholder="\bEMP-[0-9]{6}\b"
              aria-invalid={errorOf(`config.patterns.${at}.regex`) ? true : undefined}
              onChange={({ target }) => set(at, { regex: target.value })}
            />
            {!disabled && fields.patterns.length > 1 && (
              <IconButton
                label={`Remove the pattern ${name || at + 1}`}
                onClick={() => onChange({ patterns: fields.patterns.filter((_, n) => n !== at) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          <ErrorLine error={errorOf(`config.patterns.${at}`)} />
        </div>
      ))}
      <p className="m-0 text-xs text-ink-3">
        RE2 syntax: linear time, so no backreferences and no lookaround. (?i) at the start ignores capitals.
      </p>
      {!disabled && (
        <div>
          <Button
            size="sm"
            icon={<Plus size={13} aria-hidden />}
            onClick={() => onChange({ patterns: [...fields.patterns, { name: '', regex: '' }] })}
          >
            Add a pattern
          </Button>
        </div>
      )}
    </div>
  )
}

const ErrorLine = ({ error }: { error: ReactNode }) =>
  error ? <p className="m-0 mt-0.5 text-xs text-bad">{error}</p> : null

const bounds = [
  ['maxInputTokens', 'Input tokens', 'of the whole request, as counted here'],
  [
    'maxOutputTokens',
    'Output tokens',
    'per request; a request without a maximum counts as the model’s limit',
  ],
  ['maxMessages', 'Messages', 'of the conversation'],
] as const

function Limits({ fields, onChange, errorOf, disabled }: ConfigFormProps) {
  return (
    <>
      {bounds.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={`Maximum ${label.toLowerCase()}`}
          hint={hint}
          inputMode="numeric"
          value={fields[name]}
          onValue={(value) => onChange({ [name]: value.replace(/\D/g, '') })}
          error={errorOf(`config.${name}`)}
          disabled={disabled}
          placeholder="no limit"
          className="num max-w-48"
        />
      ))}
      <ErrorLine
        error={errorOf('config') === undefined ? undefined : !fields.maxMessages && errorOf('config')}
      />
    </>
  )
}

function Tools({ fields, onChange, errorOf, disabled }: ConfigFormProps) {
  return (
    <>
      <Switch
        label="Allow listed tools only"
        checked={fields.hasAllow}
        onChecked={(hasAllow) => onChange({ hasAllow })}
        disabled={disabled}
      />
      {fields.hasAllow && (
        <Lines
          label="Allowed tools"
          hint="One per line; * matches anything. Tools of MCP servers: server__tool. An empty list allows none."
          value={fields.allow}
          onValue={(allow) => onChange({ allow })}
          error={errorOf('config.allow')}
          disabled={disabled}
          placeholder="get_*"
        />
      )}
      <Lines
        label="Denied tools"
        hint="Takes precedence over the list above, in any spelling"
        value={fields.deny}
        onValue={(deny) => onChange({ deny })}
        error={errorOf('config.deny')}
        disabled={disabled}
        placeholder="shell*"
      />
    </>
  )
}

function Http({ fields, onChange, errorOf, disabled }: ConfigFormProps) {
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
