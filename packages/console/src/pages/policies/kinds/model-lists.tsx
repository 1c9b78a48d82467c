import { Lines, linesOf, readLines } from './fields'
import { defineKind, judgesRequests } from './kind'

const defineModelList = (name: string, description: string) =>
  defineKind({
    name,
    description,
    ...judgesRequests,
    callFields: ['model'],
    read: ({ models }) => ({ models: readLines(models) }),
    write: ({ models }) => ({ models: linesOf(models) }),
    isFilledIn: ({ models }) => linesOf(models).length > 0,
    Form: ({ fields, onChange, errorOf, disabled }) => (
      <Lines
        label={name}
        hint="One per line. A trailing * matches anything: anthropic/*"
        value={fields.models}
        onValue={(models) => onChange({ models })}
        error={errorOf('config.models')}
        disabled={disabled}
        placeholder={'gpt-5.6\nanthropic/*'}
      />
    ),
  })

export const modelAllowlist = defineModelList('Allowed models', 'permits only the listed models')
export const modelDenylist = defineModelList('Denied models', 'blocks the listed models')
