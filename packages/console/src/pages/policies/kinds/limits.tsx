import { TextField } from '../../../components'
import { ErrorLine, readText } from './fields'
import { type ConfigFormProps, defineKind, judgesRequests } from './kind'

const bounds = [
  ['maxInputTokens', 'Input tokens', 'of the whole request, as counted here'],
  [
    'maxOutputTokens',
    'Output tokens',
    'per request; a request without a maximum counts as the model’s limit',
  ],
  ['maxMessages', 'Messages', 'of the conversation'],
] as const

type Fields = Record<(typeof bounds)[number][0], string>

export const limits = defineKind<Fields>({
  name: 'Size limits',
  description: 'blocks requests that are too large',
  ...judgesRequests,
  callFields: ['maxOutputTokens'],
  read: ({ maxInputTokens, maxOutputTokens, maxMessages }) => ({
    maxInputTokens: readText(maxInputTokens),
    maxOutputTokens: readText(maxOutputTokens),
    maxMessages: readText(maxMessages),
  }),
  write: (fields) =>
    Object.fromEntries(
      bounds.flatMap(([name]) => (fields[name].trim() === '' ? [] : [[name, Number(fields[name])]])),
    ),
  isFilledIn: (fields) => bounds.some(([name]) => fields[name] !== ''),
  Form: Limits,
})

function Limits({ fields, onChange, errorOf, disabled }: ConfigFormProps<Fields>) {
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
