import { api, expectSuccess } from '../../api'
import { FormDialog, SelectField, TextField, useDraftForm } from '../../components'
import { type Endpoint, type EventName, events, webhookPaths } from './use-webhooks'

type CreatedEndpoint = Endpoint & { secret: string }
const isCreated = (saved: Endpoint): saved is CreatedEndpoint => 'secret' in saved

interface EndpointFormProps {
  /** Null creates a new endpoint. */
  endpoint: Endpoint | null
  onClose(): void
  /** Receives the endpoint with its secret, which is shown once. */
  onCreated?(endpoint: CreatedEndpoint): void
}

const toDraft = (endpoint: Endpoint | null) => ({
  name: endpoint?.name ?? '',
  url: endpoint?.url ?? '',
  type: endpoint?.type ?? ('generic' as const),
  envelope: endpoint?.envelope ?? ('tallystick' as const),
  events: endpoint?.events ?? (['budget.threshold_reached', 'policy.violation'] as EventName[]),
  attempts: String(endpoint?.maxAttempts ?? 30),
})

const toBody = ({ attempts, ...draft }: ReturnType<typeof toDraft>) => ({
  ...draft,
  maxAttempts: Number(attempts),
})

export function EndpointForm({ endpoint, onClose, onCreated }: EndpointFormProps) {
  const form = useDraftForm({
    record: endpoint,
    toDraft,
    toBody,
    paths: { attempts: 'maxAttempts' },
    create: async (body): Promise<Endpoint> =>
      await expectSuccess(api.POST('/v1/webhook-endpoints', { body })),
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/webhook-endpoints/{id}', { params: { path: { id } }, body })),
    invalidates: webhookPaths,
    message: ({ name }) => (endpoint === null ? null : `Webhook “${name}” saved`),
    onSaved: (saved) => isCreated(saved) && onCreated?.(saved),
    onClose,
  })
  const { draft, field, set, errorOf } = form
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={endpoint === null ? 'New webhook' : `Edit ${endpoint.name}`}
      {...(endpoint !== null && { description: 'Applies to every event that is not delivered yet.' })}
      action={endpoint === null ? 'Create webhook' : 'Save'}
    >
      <TextField label="Name" {...field('name')} placeholder="on-call" autoFocus />
      <SelectField
        label="Format"
        {...field('type')}
        hint={
          draft.type === 'chat' ? 'Slack, Mattermost, Teams, Discord (…/slack)' : 'For a receiver of your own'
        }
        choices={[
          { value: 'generic', label: 'Signed JSON event' },
          { value: 'chat', label: 'Chat message' },
        ]}
      />
      <div className="sm:col-span-2">
        <TextField
          label="URL"
          {...field('url')}
          type="url"
          placeholder={
            draft.type === 'chat'
              ? 'https://hooks.slack.com/services/…'
              : 'https://hooks.example.com/tallystick'
          }
        />
      </div>
      {draft.type === 'generic' && (
        <SelectField
          label="Envelope"
          {...field('envelope')}
          hint={
            draft.envelope === 'cloudevents'
              ? 'For Knative, Azure Event Grid and other receivers of CloudEvents'
              : 'What the SDK verifies and reads'
          }
          choices={[
            { value: 'tallystick', label: 'Tallystick' },
            { value: 'cloudevents', label: 'CloudEvents 1.0' },
          ]}
        />
      )}
      <fieldset className="m-0 border-0 p-0 sm:col-span-2">
        <legend className="mb-1 p-0 text-xs font-medium text-ink-2">Events</legend>
        <div className="border-t border-rule">
          {events.map((event) => (
            <label key={event.name} className="flex items-center gap-3 border-b border-rule py-1.5">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={draft.events.includes(event.name)}
                onChange={({ target }) =>
                  set({
                    events: target.checked
                      ? [...draft.events, event.name]
                      : draft.events.filter((each) => each !== event.name),
                  })
                }
              />
              <span className="min-w-0 flex-1">{event.description}</span>
              <code className="text-xs text-ink-3 max-sm:hidden">{event.name}</code>
            </label>
          ))}
        </div>
        {errorOf('events') && <p className="m-0 mt-1 text-xs text-bad">{errorOf('events')}</p>}
      </fieldset>
      <TextField
        label="Maximum attempts"
        {...field('attempts')}
        inputMode="numeric"
        hint="Retried after 5 s, 10 s, 20 s … up to an hour. 30 attempts take 20 hours."
      />
    </FormDialog>
  )
}
