import { ExpressionField } from './expression-field'
import { readText } from './fields'
import { defineKind, judgesRequests } from './kind'

export const expression = defineKind({
  name: 'Expression',
  description: 'evaluates a CEL expression over the call',
  ...judgesRequests,
  callFields: ['tools', 'maxOutputTokens', 'stream'],
  read: ({ cel }) => ({ cel: readText(cel) }),
  write: ({ cel }) => ({ cel }),
  isFilledIn: ({ cel }) => cel.trim() !== '',
  Form: ({ fields, onChange, errorOf, disabled }) => (
    <ExpressionField
      value={fields.cel}
      onValue={(cel) => onChange({ cel })}
      error={errorOf('config.cel')}
      disabled={disabled}
    />
  ),
})
