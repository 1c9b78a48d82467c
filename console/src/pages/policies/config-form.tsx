import { Plus, X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Button, cx, Field, IconButton, Input, Select, Switch, TextArea, TextField } from '../../parts'
import { entities, entityNames, type Fields, linesOf } from './config'
import { ExpressionField } from './expression-field'
import type { FaultOf } from './faults'
import type { Kind } from './policy'

export interface ConfigFormProps {
  kind: Kind
  fields: Fields
  onChange(change: Partial<Fields>): void
  faultOf: FaultOf
  disabled: boolean
  canRestore: boolean
}

/** What a kind of policy can be told. */
export function ConfigForm(props: ConfigFormProps) {
  const { kind, fields, onChange, faultOf, disabled } = props
  switch (kind) {
    case 'model_allowlist':
    case 'model_denylist':
      return (
        <Lines
          label={kind === 'model_allowlist' ? 'Models that may be used' : 'Models that may not be used'}
          hint="One per line; a * at the end stands for anything that follows: anthropic/*"
          value={fields.models}
          onValue={(models) => onChange({ models })}
          fault={faultOf('config.models')}
          disabled={disabled}
          placeholder={'gpt-5.6\nanthropic/*'}
        />
      )
    case 'keywords':
      return (
        <>
          <Lines
            label="Words or phrases"
            hint="One per line. They are found as whole words: cat is not found in concatenate."
            value={fields.words}
            onValue={(words) => onChange({ words })}
            fault={faultOf('config.words')}
            disabled={disabled}
            placeholder="project nightfall"
          />
          <Switch
            label="Capitals matter"
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
            Keys of providers and clouds, private keys, tokens, passwords in addresses. Known by their form
            and, where they have one, by their checksum; there is nothing to set.
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
          fault={faultOf('config.cel')}
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
  fault,
  disabled,
  placeholder,
}: {
  label: string
  hint: string
  value: string
  onValue(value: string): void
  fault: string | undefined
  disabled: boolean
  placeholder?: string
}) {
  const rows = Math.min(12, Math.max(4, value.split('\n').length + 1))
  const count = linesOf(value).length
  return (
    <Field label={count > 1 ? `${label} (${count})` : label} hint={hint} fault={fault}>
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
function Restore({ canRestore, fields, onChange, faultOf, disabled }: ConfigFormProps) {
  if (!canRestore) return null
  const fault = faultOf('config.restore')
  return (
    <div>
      <Switch
        label="Put it back into the answer"
        checked={fields.restore}
        onChecked={(restore) => onChange({ restore })}
        disabled={disabled}
      />
      <p className={cx('m-0 mt-1 text-xs', fault ? 'text-bad' : 'text-ink-3')}>
        {fault ??
          'The provider sees the placeholder; the caller sees the value again where the answer repeats it.'}
      </p>
    </div>
  )
}

function Entities({ fields, onChange, faultOf, disabled }: ConfigFormProps) {
  const fault = faultOf('config.entities')
  return (
    <fieldset className="m-0 border-0 p-0" disabled={disabled}>
      <legend className="mb-1 p-0 text-xs font-medium text-ink-2">What to look for</legend>
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
      <p className={cx('m-0 mt-1 text-xs', fault ? 'text-bad' : 'text-ink-3')}>
        {fault ?? 'Cards and IBANs are known by their check digits, not by their shape alone.'}
      </p>
    </fieldset>
  )
}

function Patterns({ fields, onChange, faultOf, disabled }: ConfigFormProps) {
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
              aria-invalid={faultOf(`config.patterns.${at}.name`) ? true : undefined}
              onChange={({ target }) => set(at, { name: target.value })}
            />
            <Input
              aria-labelledby={`${id}-regex`}
              className="mono"
              value={regex}
              disabled={disabled}
              placeholder="\bEMP-[0-9]{6}\b"
              aria-invalid={faultOf(`config.patterns.${at}.regex`) ? true : undefined}
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
          <FaultLine fault={faultOf(`config.patterns.${at}`)} />
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
            Another pattern
          </Button>
        </div>
      )}
    </div>
  )
}

const FaultLine = ({ fault }: { fault: ReactNode }) =>
  fault ? <p className="m-0 mt-0.5 text-xs text-bad">{fault}</p> : null

const bounds = [
  ['maxInputTokens', 'Input tokens', 'of the whole request, as we count them'],
  [
    'maxOutputTokens',
    'Output tokens',
    'that a request may ask for; one without a maximum asks for all that the model can do',
  ],
  ['maxMessages', 'Messages', 'of the conversation'],
] as const

function Limits({ fields, onChange, faultOf, disabled }: ConfigFormProps) {
  return (
    <>
      {bounds.map(([name, label, hint]) => (
        <TextField
          key={name}
          label={`At most this many ${label.toLowerCase()}`}
          hint={hint}
          inputMode="numeric"
          value={fields[name]}
          onValue={(value) => onChange({ [name]: value.replace(/\D/g, '') })}
          fault={faultOf(`config.${name}`)}
          disabled={disabled}
          placeholder="no limit"
          className="num max-w-48"
        />
      ))}
      <FaultLine
        fault={faultOf('config') === undefined ? undefined : !fields.maxMessages && faultOf('config')}
      />
    </>
  )
}

function Tools({ fields, onChange, faultOf, disabled }: ConfigFormProps) {
  return (
    <>
      <Switch
        label="Only tools that are listed"
        checked={fields.hasAllow}
        onChecked={(hasAllow) => onChange({ hasAllow })}
        disabled={disabled}
      />
      {fields.hasAllow && (
        <Lines
          label="Tools that may be used"
          hint="One per line; * stands for any characters. Of MCP servers: server__tool. An empty list allows none."
          value={fields.allow}
          onValue={(allow) => onChange({ allow })}
          fault={faultOf('config.allow')}
          disabled={disabled}
          placeholder="get_*"
        />
      )}
      <Lines
        label="Tools that may never be used"
        hint="However they are written, also where the list above has them"
        value={fields.deny}
        onValue={(deny) => onChange({ deny })}
        fault={faultOf('config.deny')}
        disabled={disabled}
        placeholder="shell*"
      />
    </>
  )
}

function Http({ fields, onChange, faultOf, disabled }: ConfigFormProps) {
  return (
    <>
      <TextField
        label="Address of your service"
        hint="It is sent the texts and answers { violation, reason }. Requests are signed; the secret is shown once, when the policy is saved."
        value={fields.url}
        onValue={(url) => onChange({ url })}
        fault={faultOf('config.url')}
        disabled={disabled}
        placeholder="https://guard.example.com/check"
        inputMode="url"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Time to answer, in milliseconds"
          hint="50 to 10,000"
          inputMode="numeric"
          value={fields.timeoutMs}
          onValue={(timeoutMs) => onChange({ timeoutMs: timeoutMs.replace(/\D/g, '') })}
          fault={faultOf('config.timeoutMs')}
          disabled={disabled}
          className="num"
        />
        <Field
          label="When it fails"
          hint="cannot be reached, is too slow, or answers 429 or 5xx"
          fault={faultOf('config.onError')}
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
                { value: 'allow', label: 'Let the call pass' },
              ]}
            />
          )}
        </Field>
      </div>
    </>
  )
}
