import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../../api'
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
} from '../../../parts'
import { type Provider, useRefresh } from '../use-providers'
import { CredentialFields } from './add-credential'
import { ProviderDetails } from './provider-details'
import {
  bodyOfChange,
  bodyOfNew,
  draftOf,
  faultOfLimit,
  limitNames,
  type ProviderDraft,
  withType,
} from './provider-draft'
import { providerTypes, wordsOfType } from './types'

interface ProviderFormProps {
  /** Null for a new one. */
  provider: Provider | null
  onClose(): void
  onCreated?(provider: Provider): void
}

const fields = [
  'name',
  'type',
  'baseUrl',
  'pricesOf',
  'auth',
  'references',
  'headers',
  'dialects',
  'timeouts',
  'limits',
  'credentials',
]

export function ProviderForm({ provider, onClose, onCreated }: ProviderFormProps) {
  const formId = useId()
  const [draft, setDraft] = useState<ProviderDraft>(() => draftOf(provider))
  const save = useSave(provider, onClose, onCreated)
  const faultOf = faultsOf(save.error)
  const set = (change: Partial<ProviderDraft>) => setDraft({ ...draft, ...change })
  const words = wordsOfType(draft.type)
  const shown = [...fields, ...(words?.options?.map(({ name }) => `options.${name}`) ?? [])]
  const send = (event: FormEvent) => {
    event.preventDefault()
    // It stands beside the field.
    if (limitNames.some((name) => faultOfLimit(draft, name) !== null)) return
    save.mutate(draft)
  }
  return (
    <Dialog
      open
      isKept={draft.credentialValue !== ''}
      onClose={onClose}
      width="lg"
      title={provider === null ? 'Add a provider' : `Change ${provider.name}`}
      description={
        provider === null
          ? 'Its models can be called within a second, as provider/model.'
          : 'Calls under way go on as they began; later ones follow the change.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={save.isPending}>
            {provider === null ? 'Add provider' : 'Save'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} autoComplete="off" className="grid gap-x-4 gap-y-3 sm:grid-cols-2">
        {provider === null && (
          <>
            <Field label="Type" fault={faultOf('type')}>
              {({ id }) => (
                <Select
                  id={id}
                  value={draft.type}
                  onValue={(type) => setDraft(withType(draft, type))}
                  choices={providerTypes.map(({ type, name }) => ({ value: type, label: name }))}
                  className="w-full"
                />
              )}
            </Field>
            <TextField
              label="Name"
              value={draft.name}
              onValue={(name) => set({ name })}
              fault={faultOf('name')}
              placeholder={draft.type === 'openai' ? 'openai-eu' : draft.type}
              hint="Calls say name/model; it stays as it is"
              autoFocus
            />
          </>
        )}
        {words?.options?.map((option) => (
          <TextField
            key={option.name}
            label={option.required ? option.label : `${option.label} (optional)`}
            value={draft.options[option.name] ?? ''}
            onValue={(value) => set({ options: { ...draft.options, [option.name]: value } })}
            fault={faultOf(`options.${option.name}`)}
            hint={option.hint}
            placeholder={option.placeholder}
          />
        ))}
        <div className="sm:col-span-2">
          <TextField
            label={words?.needsBaseUrl ? 'Base URL' : 'Base URL (optional)'}
            value={draft.baseUrl}
            onValue={(baseUrl) => set({ baseUrl })}
            fault={faultOf('baseUrl')}
            placeholder={
              words?.baseUrl ??
              (words?.needsBaseUrl ? 'https://my-resource.openai.azure.com' : 'follows from the region')
            }
            hint={
              words?.needsBaseUrl
                ? 'The endpoint of the resource'
                : 'Left empty: the address of its type. For a server that speaks the same protocol: its own'
            }
          />
        </div>
        <Field
          label="Called with"
          fault={faultOf('auth')}
          hint={
            draft.auth === 'caller'
              ? 'Callers send their own Authorization, and their key as X-Tallystick-Key'
              : 'Callers never see it'
          }
        >
          {({ id }) => (
            <Select<ProviderDraft['auth']>
              id={id}
              value={draft.auth}
              onValue={(auth) => set({ auth })}
              choices={[
                { value: 'own', label: 'A credential of its own' },
                { value: 'caller', label: 'The caller’s own (subscriptions)' },
              ]}
              className="w-full"
            />
          )}
        </Field>
        {draft.auth === 'own' && (
          <Field
            label="Accepted references"
            fault={faultOf('references')}
            hint="Ids of responses, conversations, files and containers that requests may name"
          >
            {({ id }) => (
              <Select<ProviderDraft['references']>
                id={id}
                value={draft.references}
                onValue={(references) => set({ references })}
                choices={[
                  { value: 'issued', label: 'Issued to the caller or its team' },
                  { value: 'any', label: 'Also those created outside Tallystick' },
                ]}
                className="w-full"
              />
            )}
          </Field>
        )}
        <TextField
          label="List prices of"
          value={draft.pricesOf}
          onValue={(pricesOf) => set({ pricesOf })}
          fault={faultOf('pricesOf')}
          placeholder="its own name"
          hint={
            words?.pricesOf === null
              ? 'The catalogue has none for this type: set prices of your own, or its models cannot be called'
              : 'Whose prices of the catalogue apply; a model without a price cannot be called'
          }
        />
        {provider === null && draft.auth === 'own' && (
          <CredentialFields
            type={draft.type}
            name={draft.credentialName}
            onName={(credentialName) => set({ credentialName })}
            value={draft.credentialValue}
            onValue={(credentialValue) => set({ credentialValue })}
            faultOf={(field) => faultOf(`credentials.0.${field}`)}
          />
        )}
        <ProviderDetails draft={draft} onDraft={setDraft} provider={provider} faultOf={faultOf} />
        {save.error && !isBesideFields(save.error, shown) && (
          <ErrorState error={save.error} className="sm:col-span-2" />
        )}
      </form>
    </Dialog>
  )
}

function useSave(
  provider: Provider | null,
  onClose: () => void,
  onCreated: ((provider: Provider) => void) | undefined,
) {
  const refresh = useRefresh()
  return useMutation({
    gcTime: 0,
    async mutationFn(draft: ProviderDraft) {
      if (provider === null) return await expectSuccess(api.POST('/v1/providers', { body: bodyOfNew(draft) }))
      const body = bodyOfChange(draft, provider)
      if (Object.keys(body).length === 0) return provider
      return await expectSuccess(
        api.PATCH('/v1/providers/{id}', { params: { path: { id: provider.id } }, body }),
      )
    },
    async onSuccess(saved) {
      await refresh()
      onClose()
      say(`Provider ${saved.name} is ${provider === null ? 'added' : 'changed'}`)
      if (provider === null) onCreated?.(saved)
    },
  })
}
