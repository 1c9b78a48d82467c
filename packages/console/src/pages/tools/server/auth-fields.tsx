import { type DraftForm, SelectField, Switch, TextAreaField, TextField } from '../../../components'
import type { Server } from '../use-servers'
import type { ServerDraft } from './server-draft'

const choices: readonly { value: ServerDraft['authType']; label: string }[] = [
  { value: 'none', label: 'None, or the headers below' },
  { value: 'header', label: 'A header value per person' },
  { value: 'oauth', label: 'OAuth, per person' },
  { value: 'passthrough', label: 'The caller’s own Authorization header' },
]
const hints: Record<ServerDraft['authType'], string> = {
  none: 'The same for everyone',
  header: 'Each person stores a value here, such as a token. Nobody else can use it',
  oauth: 'Each person gives consent once. Tokens are stored encrypted and renewed',
  passthrough: 'Callers send their key as X-Tallystick-Key, and Authorization for the server',
}

/** Authentication and headers of the requests to the server. */
export function AuthFields({ form, server }: { form: DraftForm<ServerDraft>; server: Server | null }) {
  const { draft, field, set } = form
  const stored = server?.headers ?? []
  return (
    <>
      <div className="sm:col-span-2">
        <SelectField
          label="Authentication"
          {...field('authType')}
          hint={hints[draft.authType]}
          choices={choices}
        />
      </div>
      {draft.authType === 'header' && (
        <div className="sm:col-span-2">
          <TextField label="Header name" {...field('authHeader')} className="mono !text-xs" />
        </div>
      )}
      {draft.authType === 'oauth' && (
        <>
          <TextField
            label="Client ID (optional)"
            {...field('clientId')}
            hint="Empty: the client is registered automatically, if the server allows it"
          />
          <TextField
            label="Client secret (optional)"
            type="password"
            {...field('clientSecret')}
            hint={
              server?.auth.hasClientSecret
                ? 'One is stored. A new value replaces it'
                : 'Stored encrypted, never shown again'
            }
          />
          <div className="sm:col-span-2">
            <TextField
              label="Scopes (optional)"
              {...field('scopes')}
              hint="Separated by spaces. Empty: the scopes that the server names"
              className="mono !text-xs"
            />
          </div>
        </>
      )}
      <div className="sm:col-span-2">
        <TextAreaField
          label="Headers (optional)"
          {...field('headers')}
          hint={
            stored.length > 0
              ? `Replaces the stored headers: ${stored.join(', ')}`
              : 'One per line, name: value. Sent with every request; values are stored encrypted'
          }
          rows={2}
          className="mono !text-xs"
          placeholder="x-api-key: …"
        />
        {stored.length > 0 && draft.headers.trim() === '' && (
          <div className="mt-1">
            <Switch
              checked={draft.removesHeaders}
              onChecked={(removesHeaders) => set({ removesHeaders })}
              label={`Remove ${stored.join(', ')}`}
            />
          </div>
        )}
      </div>
    </>
  )
}
