import { api, expectSuccess } from '../../../api'
import { FormDialog, SelectField, Switch, TextField, useDraftForm } from '../../../components'
import { type Server, serverPaths } from '../use-servers'
import { AdvancedFields } from './advanced-fields'
import { AuthFields } from './auth-fields'
import { pinningNames, type ServerDraft, toBody, toDraft } from './server-draft'

interface ServerFormProps {
  /** Null creates a new server. */
  server: Server | null
  onClose(): void
  onCreated?(server: Server): void
}

const apiPaths = {
  ...{ removesHeaders: null, authType: 'auth.type', authHeader: 'auth.header', clientId: 'auth.clientId' },
  ...{ clientSecret: 'auth.clientSecret', scopes: 'auth.scopes', price: 'pricePerCallUsd' },
  ...{ timeout: 'timeoutMs', maxResult: 'maxResultBytes' },
} as const

const pinningHints: Record<ServerDraft['pinning'], string> = {
  block: 'Also applies to tools that changed since their approval',
  warn: 'The server can change what agents see before you review it',
  off: 'The server can change what agents see without notice',
}

const addDescriptions: Record<ServerDraft['pinning'], string> = {
  block: 'Its tools are listed at once, and can be called after you approve them.',
  warn: 'Its tools are listed at once, and can be called before you approve them.',
  off: 'Its tools are listed at once, and can be called without approval.',
}

export function ServerForm({ server, onClose, onCreated }: ServerFormProps) {
  const form = useDraftForm({
    record: server,
    toDraft,
    toBody,
    paths: apiPaths,
    morePaths: ['auth'],
    create: async (body) =>
      await expectSuccess(api.POST('/v1/mcp-servers', { body: { ...body, headers: body.headers ?? {} } })),
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/mcp-servers/{id}', { params: { path: { id } }, body })),
    invalidates: serverPaths,
    message: ({ name }) => `Server “${name}” ${server === null ? 'added' : 'saved'}`,
    onSaved: (saved) => server === null && onCreated?.(saved),
    onClose,
  })
  const { draft, field, set } = form
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={server === null ? 'Add an MCP server' : `Edit ${server.name}`}
      description={
        server === null
          ? addDescriptions[draft.pinning]
          : 'Calls in progress keep the previous settings; later calls use the new ones.'
      }
      action={server === null ? 'Add server' : 'Save'}
    >
      {server === null && (
        <TextField
          label="Name"
          {...field('name')}
          placeholder="tickets"
          hint="Tools are named name__tool. It cannot be changed later"
          autoFocus
        />
      )}
      <div className={server === null ? undefined : 'sm:col-span-2'}>
        <TextField
          label="URL"
          {...field('url')}
          inputMode="url"
          placeholder="https://mcp.example.com/mcp"
          hint="Streamable HTTP. Servers over stdio are set in the configuration file"
        />
      </div>
      <AuthFields form={form} server={server} />
      <div className="flex flex-col justify-center sm:col-span-2">
        <Switch
          checked={draft.open}
          onChecked={(open) => set({ open })}
          label="Open to every key of the tenant"
        />
        <p className="m-0 mt-1 text-xs text-ink-3">
          {draft.open
            ? 'Tool allow lists and policies still apply.'
            : 'Only for keys, teams and people with its tools on their allow list, or with a policy that allows them.'}
        </p>
      </div>
      <SelectField
        label="Unapproved tools"
        {...field('pinning')}
        hint={pinningHints[draft.pinning]}
        choices={(['block', 'warn', 'off'] as const).map((value) => ({ value, label: pinningNames[value] }))}
      />
      <TextField
        label="Price per call (USD)"
        {...field('price')}
        inputMode="decimal"
        placeholder="0"
        hint="Counts against budgets, like the price of a model"
      />
      <AdvancedFields form={form} />
    </FormDialog>
  )
}
