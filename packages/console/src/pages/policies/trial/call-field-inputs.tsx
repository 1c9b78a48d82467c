import { Field, Input, Select, Switch } from '../../../components'
import type { PolicyKind } from '../kinds/kind'
import type { CallFields } from './call-fields'
import type { TrialKey, TrialModel } from './use-trial-call'

export function CallFieldInputs({
  judged,
  callFields,
  onChange,
  model,
  trialKey,
}: {
  judged: NonNullable<PolicyKind['callFields']>
  callFields: CallFields
  onChange(change: Partial<CallFields>): void
  model: TrialModel
  trialKey: TrialKey
}) {
  return (
    <details className="text-sm" open={judged.length > 0}>
      <summary className="w-fit cursor-pointer text-xs text-ink-3 hover:text-ink">
        As a call with {trialKey.keys.find(({ value }) => value === trialKey.id)?.label ?? 'a key'} to{' '}
        {model.name}
      </summary>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <Field label="Key">
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={trialKey.id ?? ''}
              onValue={trialKey.choose}
              choices={trialKey.keys}
            />
          )}
        </Field>
        <Field label="Model">
          {(ids) => (
            <>
              <Input
                {...ids}
                className="mono"
                list="trial-models"
                value={callFields.model}
                placeholder={model.name}
                onChange={({ target }) => onChange({ model: target.value })}
              />
              <datalist id="trial-models">
                {model.used.map((name) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        {judged.includes('tools') && (
          <Field label="Tools">
            {(ids) => (
              <Input
                {...ids}
                className="mono"
                value={callFields.tools}
                placeholder="get_weather, shell"
                onChange={({ target }) => onChange({ tools: target.value })}
              />
            )}
          </Field>
        )}
        {judged.includes('maxOutputTokens') && (
          <Field label="Maximum output tokens">
            {(ids) => (
              <Input
                {...ids}
                className="num"
                inputMode="numeric"
                value={callFields.maxOutputTokens}
                placeholder="not set"
                onChange={({ target }) => onChange({ maxOutputTokens: target.value.replace(/\D/g, '') })}
              />
            )}
          </Field>
        )}
        {judged.includes('stream') && (
          <Switch label="Streamed" checked={callFields.stream} onChecked={(stream) => onChange({ stream })} />
        )}
      </div>
    </details>
  )
}
