import { Switch } from '../../../components'
import { Lines, linesOf, readLines } from './fields'
import { type ConfigFormProps, defineKind, judgesCalls } from './kind'

interface Fields {
  /** Allows only the tools in `allow`; an empty list then allows none. */
  hasAllow: boolean
  allow: string
  deny: string
}

export const tools = defineKind<Fields>({
  name: 'Tools',
  description: 'decides which tools a model may be given and may call',
  ...judgesCalls,
  callFields: ['tools'],
  read: ({ allow, deny }) => ({
    hasAllow: allow !== undefined,
    allow: readLines(allow),
    deny: readLines(deny),
  }),
  write: ({ hasAllow, allow, deny }) => ({
    ...(hasAllow && { allow: linesOf(allow) }),
    ...(linesOf(deny).length > 0 && { deny: linesOf(deny) }),
  }),
  isFilledIn: ({ hasAllow, deny }) => hasAllow || linesOf(deny).length > 0,
  Form: Tools,
})

function Tools({ fields, onChange, errorOf, disabled }: ConfigFormProps<Fields>) {
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
