import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { api, expectSuccess } from '../../../api'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Select,
  Switch,
  say,
  TextArea,
  TextField,
} from '../../../parts'
import { type Server, useRefreshServers } from '../use-servers'
import { bodyOfChange, bodyOfNew, draftOf, pinningWords, type ServerDraft } from './server-draft'

interface ServerFormProps {
  /** Null for a new one. */
  server: Server | null
  onClose(): void
  onCreated?(server: Server): void
}

const fields = [
  ...['name', 'url', 'headers', 'auth', 'open', 'pinning', 'pricePerCallUsd'],
  ...['rpmLimit', 'timeoutMs', 'maxResultBytes', 'resources', 'prompts'],
]

const authChoices: readonly { value: ServerDraft['authType']; label: string }[] = [
  { value: 'none', label: 'Nothing, or the headers below' },
  { value: 'header', label: 'A header value of each person' },
  { value: 'oauth', label: 'The consent of each person (OAuth)' },
  { value: 'passthrough', label: 'The caller’s own Authorization' },
]
const authHints: Record<ServerDraft['authType'], string> = {
  none: 'The same for everyone',
  header: 'Each stores their own here, such as a token; nobody else can use it',
  oauth: 'Each gives it once, by a link; tokens are kept encrypted, and renewed',
  passthrough: 'Callers send their key as X-Tallystick-Key, and Authorization for the server',
}

export function ServerForm({ server, onClose, onCreated }: ServerFormProps) {
  const formId = useId()
  const [draft, setDraft] = useState<ServerDraft>(() => draftOf(server))
  const save = useSave(server, onClose, onCreated)
  const faultOf = faultsOf(save.error)
  const set = (change: Partial<ServerDraft>) => setDraft({ ...draft, ...change })
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(draft)
  }
  return (
    <Dialog
      open
      isKept={draft.headers !== '' || draft.clientSecret !== ''}
      onClose={onClose}
      width="lg"
      title={server === null ? 'Add an MCP server' : `Change ${server.name}`}
      description={
        server === null
          ? 'Its tools are listed at once. Nobody can call one before you approve it.'
          : 'Calls under way go on as they began; later ones follow the change.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {server === null ? 'Add server' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} autoComplete="off" className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {server === null && (
          <TextField
            label="Name"
            value={draft.name}
            onValue={(name) => set({ name })}
            fault={faultOf('name')}
            placeholder="tickets"
            hint="Its tools are called name__tool; it stays as it is"
            autoFocus
          />
        )}
        <div className={server === null ? undefined : 'sm:col-span-2'}>
          <TextField
            label="Address"
            value={draft.url}
            onValue={(url) => set({ url })}
            fault={faultOf('url')}
            inputMode="url"
            placeholder="https://mcp.example.com/mcp"
            hint="Streamable HTTP. Servers by stdio are for the operator’s file"
          />
        </div>
        <AuthFields draft={draft} set={set} faultOf={faultOf} server={server} />
        <div className="flex flex-col justify-center sm:col-span-2">
          <Switch
            checked={draft.open}
            onChecked={(open) => set({ open })}
            label="Open to every key of the tenant"
          />
          <p className="m-0 mt-1 text-xs text-ink-3">
            {draft.open
              ? 'Lists of tools and policies can still take from it.'
              : 'Only for keys, teams and people whose list of tools names it, and whom a policy allows it.'}
          </p>
        </div>
        <Field
          label="A tool that nobody approved"
          fault={faultOf('pinning')}
          hint={draft.pinning === 'block' ? 'Also one that changed since' : pinningWarnings[draft.pinning]}
        >
          {({ id }) => (
            <Select<ServerDraft['pinning']>
              id={id}
              value={draft.pinning}
              onValue={(pinning) => set({ pinning })}
              choices={(['block', 'warn', 'off'] as const).map((value) => ({
                value,
                label: pinningWords[value],
              }))}
              className="w-full"
            />
          )}
        </Field>
        <TextField
          label="Price of a call, USD"
          value={draft.price}
          onValue={(price) => set({ price })}
          fault={faultOf('pricePerCallUsd')}
          inputMode="decimal"
          placeholder="0"
          hint="Counts against budgets, as a model’s price does"
        />
        <Details draft={draft} set={set} faultOf={faultOf} />
        {save.error && !isBesideFields(save.error, fields) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}

const pinningWarnings = {
  warn: 'A server can then change what agents are told before you look',
  off: 'A server can then change what agents are told, and nobody hears of it',
}

interface PartProps {
  draft: ServerDraft
  set(change: Partial<ServerDraft>): void
  faultOf(field: string): string | null
}

function AuthFields({ draft, set, faultOf, server }: PartProps & { server: Server | null }) {
  return (
    <>
      <div className="sm:col-span-2">
        <Field label="Called with" fault={faultOf('auth.type')} hint={authHints[draft.authType]}>
          {({ id }) => (
            <Select
              id={id}
              value={draft.authType}
              onValue={(authType) => set({ authType })}
              choices={authChoices}
              className="w-full"
            />
          )}
        </Field>
      </div>
      {draft.authType === 'header' && (
        <Wide>
          <TextField
            label="Name of the header"
            value={draft.authHeader}
            onValue={(authHeader) => set({ authHeader })}
            fault={faultOf('auth.header')}
            className="mono !text-xs"
          />
        </Wide>
      )}
      {draft.authType === 'oauth' && (
        <>
          <TextField
            label="Client id (optional)"
            value={draft.clientId}
            onValue={(clientId) => set({ clientId })}
            fault={faultOf('auth.clientId')}
            hint="Left empty: the service registers itself, if the server allows it"
          />
          <TextField
            label="Client secret (optional)"
            type="password"
            value={draft.clientSecret}
            onValue={(clientSecret) => set({ clientSecret })}
            fault={faultOf('auth.clientSecret')}
            hint={
              server?.auth.hasClientSecret
                ? 'One is stored; what is typed takes its place'
                : 'Stored encrypted, never shown again'
            }
          />
          <Wide>
            <TextField
              label="Scopes (optional)"
              value={draft.scopes}
              onValue={(scopes) => set({ scopes })}
              fault={faultOf('auth.scopes')}
              hint="Separated by spaces. Left empty: those that the server names"
              className="mono !text-xs"
            />
          </Wide>
        </>
      )}
      <Wide>
        <Field
          label="Headers (optional)"
          fault={faultOf('headers')}
          hint={
            server && server.headers.length > 0
              ? `What is typed here takes the place of ${server.headers.join(', ')}`
              : 'One per line, name: value. They go with every request; values are stored encrypted'
          }
        >
          {(ids) => (
            <TextArea
              {...ids}
              rows={2}
              className="mono !text-xs"
              placeholder="x-api-key: …"
              value={draft.headers}
              onChange={({ target }) => set({ headers: target.value })}
            />
          )}
        </Field>
        {server && server.headers.length > 0 && draft.headers.trim() === '' && (
          <div className="mt-1">
            <Switch
              checked={draft.removesHeaders}
              onChecked={(removesHeaders) => set({ removesHeaders })}
              label={`Remove ${server.headers.join(', ')}`}
            />
          </div>
        )}
      </Wide>
    </>
  )
}

const Wide = ({ children }: { children: ReactNode }) => <div className="sm:col-span-2">{children}</div>

/** What few have to touch. Open where something in it is wrong. */
function Details({ draft, set, faultOf }: PartProps) {
  const isWrong = ['rpmLimit', 'timeoutMs', 'maxResultBytes', 'resources', 'prompts'].some(
    (field) => faultOf(field) !== null,
  )
  return (
    <details open={isWrong || undefined} className="sm:col-span-2">
      <summary className="cursor-pointer py-1 text-xs font-medium text-ink-2 hover:text-ink">
        Limits, resources and prompts
      </summary>
      <div className="mt-2 grid gap-x-4 gap-y-3 sm:grid-cols-6">
        <div className="sm:col-span-2">
          <TextField
            label="Calls a minute"
            value={draft.rpmLimit}
            onValue={(rpmLimit) => set({ rpmLimit })}
            fault={faultOf('rpmLimit')}
            inputMode="numeric"
            placeholder="no limit"
            hint="Of all keys together"
          />
        </div>
        <div className="sm:col-span-2">
          <TextField
            label="Time for a call, s"
            value={draft.timeout}
            onValue={(timeout) => set({ timeout })}
            fault={faultOf('timeoutMs')}
            inputMode="decimal"
            placeholder="60"
          />
        </div>
        <div className="sm:col-span-2">
          <TextField
            label="Largest result, KiB"
            value={draft.maxResult}
            onValue={(maxResult) => set({ maxResult })}
            fault={faultOf('maxResultBytes')}
            inputMode="decimal"
            placeholder="4096"
          />
        </div>
        <div className="sm:col-span-3">
          <Patterns
            label="Resources that may be read"
            value={draft.resources}
            onValue={(resources) => set({ resources })}
            fault={faultOf('resources')}
            placeholder="file:///docs/*"
            hint="Addresses, one per line; * stands for anything. Empty for none"
          />
        </div>
        <div className="sm:col-span-3">
          <Patterns
            label="Prompts that may be used"
            value={draft.prompts}
            onValue={(prompts) => set({ prompts })}
            fault={faultOf('prompts')}
            placeholder="summarise*"
            hint="Names, one per line; * stands for anything. Empty for none"
          />
        </div>
      </div>
    </details>
  )
}

interface PatternsProps {
  label: string
  value: string
  onValue(value: string): void
  fault: string | null
  placeholder: string
  hint: string
}

const Patterns = ({ label, value, onValue, fault, placeholder, hint }: PatternsProps) => (
  <Field label={label} fault={fault} hint={hint}>
    {(ids) => (
      <TextArea
        {...ids}
        rows={2}
        className="mono !text-xs"
        placeholder={placeholder}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
    )}
  </Field>
)

function useSave(
  server: Server | null,
  onClose: () => void,
  onCreated: ((server: Server) => void) | undefined,
) {
  const refresh = useRefreshServers()
  return useMutation({
    // A secret that was typed is sent and forgotten.
    gcTime: 0,
    async mutationFn(draft: ServerDraft) {
      if (server === null) return await expectSuccess(api.POST('/v1/mcp-servers', { body: bodyOfNew(draft) }))
      const body = bodyOfChange(draft, server)
      if (Object.keys(body).length === 0) return server
      return await expectSuccess(
        api.PATCH('/v1/mcp-servers/{id}', { params: { path: { id: server.id } }, body }),
      )
    },
    async onSuccess(saved) {
      await refresh()
      onClose()
      say(`Server ${saved.name} is ${server === null ? 'added' : 'changed'}`)
      if (server === null) onCreated?.(saved)
    },
  })
}
