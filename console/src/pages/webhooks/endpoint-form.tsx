import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../api'
import {
  Button,
  Dialog,
  ErrorState,
  Field,
  faultsOf,
  isBesideFields,
  Select,
  say,
  TextField,
} from '../../parts'
import { type Endpoint, type EventName, events, useRefreshWebhooks } from './use-webhooks'

interface EndpointFormProps {
  /** Null for a new one. */
  endpoint: Endpoint | null
  onClose(): void
  /** With the secret, which is not shown again. */
  onCreated?(endpoint: Endpoint & { secret: string }): void
}

const fields = ['name', 'url', 'type', 'events', 'maxAttempts']

export function EndpointForm({ endpoint, onClose, onCreated }: EndpointFormProps) {
  const formId = useId()
  const [name, setName] = useState(endpoint?.name ?? '')
  const [url, setUrl] = useState(endpoint?.url ?? '')
  const [type, setType] = useState<Endpoint['type']>(endpoint?.type ?? 'generic')
  const [chosen, setChosen] = useState<readonly EventName[]>(
    endpoint?.events ?? ['budget.threshold_reached', 'policy.violation'],
  )
  const [attempts, setAttempts] = useState(String(endpoint?.maxAttempts ?? 30))
  const refresh = useRefreshWebhooks()
  const save = useMutation({
    async mutationFn() {
      const body = { name, url, type, events: [...chosen], maxAttempts: Number(attempts) }
      if (endpoint === null) {
        const created = await expectSuccess(api.POST('/v1/webhook-endpoints', { body }))
        return () => onCreated?.(created)
      }
      await expectSuccess(
        api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id: endpoint.id } }, body }),
      )
      return () => say(`Webhook ${name} is changed`)
    },
    async onSuccess(tell) {
      await refresh()
      onClose()
      tell()
    },
  })
  const faultOf = faultsOf(save.error)
  // A refused address is an error of its own type, whose message begins with the field.
  const urlFault = faultOf('url') ?? ofField(save.error, 'url')
  const isSaid = urlFault !== null || isBesideFields(save.error, fields)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      width="lg"
      title={endpoint === null ? 'New webhook' : `Change ${endpoint.name}`}
      {...(endpoint !== null && { description: 'Counts for everything that is not sent yet.' })}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {endpoint === null ? 'Create webhook' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        <TextField
          label="Name"
          value={name}
          onValue={setName}
          fault={faultOf('name')}
          placeholder="on-call"
          autoFocus
        />
        <Field
          label="Sends"
          fault={faultOf('type')}
          hint={type === 'chat' ? 'Slack, Mattermost, Teams, Discord (…/slack)' : 'To a receiver of your own'}
        >
          {({ id }) => (
            <Select<Endpoint['type']>
              id={id}
              value={type}
              onValue={setType}
              choices={[
                { value: 'generic', label: 'All of it, signed' },
                { value: 'chat', label: 'A line of chat' },
              ]}
              className="w-full"
            />
          )}
        </Field>
        <div className="sm:col-span-2">
          <TextField
            label="URL"
            value={url}
            onValue={setUrl}
            fault={urlFault}
            type="url"
            placeholder={
              type === 'chat' ? 'https://hooks.slack.com/services/…' : 'https://hooks.example.com/tallystick'
            }
          />
        </div>
        <fieldset className="m-0 border-0 p-0 sm:col-span-2">
          <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Tell of</legend>
          <div className="border-t border-rule">
            {events.map((event) => (
              <label key={event.name} className="flex items-center gap-3 border-b border-rule py-1.5">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={chosen.includes(event.name)}
                  onChange={({ target }) =>
                    setChosen(
                      target.checked ? [...chosen, event.name] : chosen.filter((each) => each !== event.name),
                    )
                  }
                />
                <span className="min-w-0 flex-1">{event.words}</span>
                <code className="text-xs text-ink-3 max-sm:hidden">{event.name}</code>
              </label>
            ))}
          </div>
          {faultOf('events') && <p className="m-0 mt-1 text-xs text-bad">{faultOf('events')}</p>}
        </fieldset>
        <TextField
          label="Attempts at most"
          value={attempts}
          onValue={setAttempts}
          inputMode="numeric"
          fault={faultOf('maxAttempts')}
          hint="After 5 s, 10 s, 20 s … up to an hour. 30 take 20 hours."
        />
        {save.error && !isSaid && <ErrorState error={save.error} className="sm:col-span-2" />}
      </form>
    </Dialog>
  )
}

function ofField(error: Error | null, field: string): string | null {
  const begin = `${field}: `
  return error?.message.startsWith(begin) ? error.message.slice(begin.length) : null
}
