import { Field, Select } from '../../../components'
import { type Scope, scopeNames } from '../policy'
import { useScopes } from '../use-scope-names'
import type { FieldErrorOf } from './field-errors'

const types = ['tenant', 'team', 'user', 'key'] as const

/** Chooses whose calls a policy checks. */
export function ScopeField({
  scope,
  onChange,
  errorOf,
  disabled,
}: {
  scope: Scope
  onChange(scope: Scope): void
  errorOf: FieldErrorOf
  disabled: boolean
}) {
  const { choices } = useScopes()
  const within = scope.type === 'tenant' ? [] : choices[scope.type]
  const known = within.some(({ value }) => value === scope.id)
  const first = (type: Scope['type']) => (type === 'tenant' ? '' : (choices[type][0]?.value ?? ''))
  return (
    <Field label="Scope" error={errorOf('scope')}>
      {({ id }) => (
        <div className="flex flex-wrap gap-2">
          <Select
            id={id}
            className="min-w-32 flex-1"
            value={scope.type}
            onValue={(type) => onChange({ type, id: first(type) })}
            choices={types.map((type) => ({ value: type, label: scopeNames[type] }))}
            disabled={disabled}
          />
          {scope.type !== 'tenant' && (
            <Select
              label={scopeNames[scope.type]}
              className="min-w-40 flex-[2]"
              value={scope.id}
              onValue={(next) => onChange({ type: scope.type, id: next })}
              choices={known || scope.id === '' ? within : [{ value: scope.id, label: scope.id }, ...within]}
              disabled={disabled}
            />
          )}
        </div>
      )}
    </Field>
  )
}
