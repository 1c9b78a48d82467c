import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import X from 'lucide-react/icons/x'
import { apiQuery } from '../../api'
import { Button, Field, IconButton, Input, Select, Switch, TextArea, TextField } from '../../components'
import { variablesOf } from '../prompts/variables'
import { type DialectName, dialects, type Message } from './dialects'
import type { PlaygroundSearch } from './search'
import type { Model } from './send'

export interface Settings {
  dialect: DialectName | null
  system: string
  messages: readonly Message[]
  variables: Record<string, string>
  maxOutputTokens: string
  temperature: string
  stream: boolean
}

export const firstSettings: Settings = {
  dialect: null,
  system: '',
  messages: [{ role: 'user', content: '' }],
  variables: {},
  maxOutputTokens: '512',
  temperature: '',
  stream: true,
}

export interface FormProps {
  settings: Settings
  onChange(change: Partial<Settings>): void
  models: readonly Model[] | undefined
  model: string
  onModel(model: string): void
  dialect: DialectName
  search: PlaygroundSearch
}

/** Model, parameters and messages of the request. */
export function RequestForm(props: FormProps) {
  const { settings, onChange, models, model, onModel, dialect, search } = props
  return (
    <div className="flex flex-col gap-4">
      <div className="grid gap-3 sm:grid-cols-[minmax(0,1fr)_11rem]">
        <Field label="Model" hint={models && `${models.length} that this key may use`}>
          {(ids) => (
            <>
              <Input
                {...ids}
                className="mono"
                list="playground-models"
                value={model}
                onChange={({ target }) => onModel(target.value)}
                placeholder="mock/echo"
              />
              <datalist id="playground-models">
                {models?.map(({ id }) => (
                  <option key={id} value={id} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Protocol">
          {({ id }) => (
            <Select
              id={id}
              className="w-full"
              value={dialect}
              onValue={(value) => onChange({ dialect: value })}
              choices={(['chat', 'messages', 'responses'] as const).map((value) => ({
                value,
                label: dialects[value].name,
              }))}
            />
          )}
        </Field>
      </div>
      {search.prompt === undefined ? (
        <Field label="System message">
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              value={settings.system}
              onChange={({ target }) => onChange({ system: target.value })}
              placeholder="None"
            />
          )}
        </Field>
      ) : (
        <PromptFields id={search.prompt} version={search.version} {...props} />
      )}
      <Messages {...props} />
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <TextField
          label="Maximum output tokens"
          inputMode="numeric"
          value={settings.maxOutputTokens}
          onValue={(value) => onChange({ maxOutputTokens: value.replace(/\D/g, '') })}
          className="num w-32"
        />
        <TextField
          label="Temperature"
          inputMode="decimal"
          value={settings.temperature}
          onValue={(value) => onChange({ temperature: value.replace(/[^\d.]/g, '') })}
          placeholder="model default"
          className="num w-32"
        />
        <div className="pb-2">
          <Switch label="Streamed" checked={settings.stream} onChecked={(stream) => onChange({ stream })} />
        </div>
      </div>
    </div>
  )
}

function PromptFields({
  id,
  version,
  settings,
  onChange,
}: FormProps & { id: string; version: number | undefined }) {
  const prompt = useQuery(apiQuery('/v1/prompts/{id}', { params: { path: { id } } }))
  const versions = useQuery(
    apiQuery('/v1/prompts/{id}/versions', { params: { path: { id }, query: { limit: 100 } } }),
  )
  const content = versions.data?.data.find((each) => each.version === version)?.content ?? ''
  return (
    <div>
      <p className="m-0 mb-1 flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="text-xs font-medium text-ink-2">System message</span>
        <Link to="/prompts" search={{ prompt: id, version }} className="link">
          {prompt.data?.name ?? id}, version {version}
        </Link>
        <Link
          to="/playground"
          search={({ prompt: _, version: __, ...now }) => now}
          className="link ml-auto text-xs"
        >
          without it
        </Link>
      </p>
      <p className="mono m-0 mb-3 max-h-32 overflow-y-auto rounded-md bg-sunken px-3 py-2 !text-xs leading-5 whitespace-pre-wrap">
        {content || '…'}
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {variablesOf(content).map((name) => (
          <TextField
            key={name}
            label={name}
            value={settings.variables[name] ?? ''}
            onValue={(value) => onChange({ variables: { ...settings.variables, [name]: value } })}
          />
        ))}
      </div>
    </div>
  )
}

const roles = [
  { value: 'user', label: 'User' },
  { value: 'assistant', label: 'Assistant' },
] as const

function Messages({ settings: { messages }, onChange }: FormProps) {
  const set = (at: number, change: Partial<Message>) =>
    onChange({ messages: messages.map((each, n) => (n === at ? { ...each, ...change } : each)) })
  return (
    <div className="flex flex-col gap-3">
      {messages.map(({ role, content }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: messages are edited in place and have no ID
        <div key={at}>
          <div className="mb-1 flex items-center justify-between">
            <Select
              label={`Role of message ${at + 1}`}
              value={role}
              onValue={(value) => set(at, { role: value })}
              choices={roles}
              className="!h-6 !border-transparent !bg-transparent !px-0 text-xs font-medium"
            />
            {messages.length > 1 && (
              <IconButton
                label={`Remove message ${at + 1}`}
                onClick={() => onChange({ messages: messages.filter((_, n) => n !== at) })}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </div>
          <TextArea
            aria-label={`Message ${at + 1}`}
            rows={at === messages.length - 1 ? 4 : 2}
            value={content}
            onChange={({ target }) => set(at, { content: target.value })}
            placeholder="Enter a message"
          />
        </div>
      ))}
      <div>
        <Button
          size="sm"
          kind="quiet"
          className="-ml-2.5"
          icon={<Plus size={13} aria-hidden />}
          onClick={() =>
            onChange({
              messages: [
                ...messages,
                { role: messages.at(-1)?.role === 'user' ? 'assistant' : 'user', content: '' },
              ],
            })
          }
        >
          Message
        </Button>
      </div>
    </div>
  )
}
