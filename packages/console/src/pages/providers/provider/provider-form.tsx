import { api, expectSuccess } from '../../../api'
import { FormDialog, SelectField, TextField, useDraftForm } from '../../../components'
import { type Provider, providerPaths } from '../use-providers'
import { CredentialFields } from './add-credential'
import { AdvancedFields } from './advanced-fields'
import { toBody, toDraft, validate, withType } from './provider-draft'
import { findType, providerTypes } from './types'

interface ProviderFormProps {
  /** Null creates a new provider. */
  provider: Provider | null
  onClose(): void
  onCreated?(provider: Provider): void
}

const apiPaths = {
  options: null,
  credentialName: 'credentials.0.name',
  credentialValue: 'credentials.0.value',
} as const

export function ProviderForm({ provider, onClose, onCreated }: ProviderFormProps) {
  const form = useDraftForm({
    record: provider,
    toDraft,
    toBody,
    validate,
    paths: apiPaths,
    morePaths: [
      'credentials',
      ...providerTypes.flatMap(({ options = [] }) => options.map(({ name }) => `options.${name}`)),
    ],
    create: async (body) => await expectSuccess(api.POST('/v1/providers', { body })),
    update: async ({ timeouts, ...changes }, { id, timeouts: { hangUpGraceMs } }) =>
      await expectSuccess(
        api.PATCH('/v1/providers/{id}', {
          params: { path: { id } },
          body: { ...changes, ...(timeouts && { timeouts: { ...timeouts, hangUpGraceMs } }) },
        }),
      ),
    invalidates: providerPaths,
    message: ({ name }) => `Provider “${name}” ${provider === null ? 'added' : 'saved'}`,
    onSaved: (saved) => provider === null && onCreated?.(saved),
    onClose,
  })
  const { draft, field, set, errorOf } = form
  const type = findType(draft.type)
  return (
    <FormDialog
      form={form}
      width="lg"
      columns={2}
      title={provider === null ? 'Add a provider' : `Edit ${provider.name}`}
      description={
        provider === null
          ? 'Its models can be called within a second, as provider/model.'
          : 'Calls in progress keep the previous settings; later calls use the new ones.'
      }
      action={provider === null ? 'Add provider' : 'Save'}
    >
      {provider === null && (
        <>
          <SelectField
            label="Type"
            {...field('type')}
            onValue={(next) => set(withType(next))}
            choices={providerTypes.map((each) => ({ value: each.type, label: each.name }))}
          />
          <TextField
            label="Name"
            {...field('name')}
            placeholder={draft.type === 'openai' ? 'openai-eu' : draft.type}
            hint="Calls use name/model. It cannot be changed later"
            autoFocus
          />
        </>
      )}
      {type?.options?.map((option) => (
        <TextField
          key={option.name}
          label={option.required ? option.label : `${option.label} (optional)`}
          value={draft.options[option.name] ?? ''}
          onValue={(value) => set({ options: { ...draft.options, [option.name]: value } })}
          error={errorOf(`options.${option.name}`)}
          hint={option.hint}
          placeholder={option.placeholder}
        />
      ))}
      <div className="sm:col-span-2">
        <TextField
          label={type?.needsBaseUrl ? 'Base URL' : 'Base URL (optional)'}
          {...field('baseUrl')}
          placeholder={
            type?.baseUrl ??
            (type?.needsBaseUrl ? 'https://my-resource.openai.azure.com' : 'derived from the region')
          }
          hint={
            type?.needsBaseUrl
              ? 'The endpoint of the resource'
              : 'Empty: the default address of this type. Set it for a server that speaks the same protocol'
          }
        />
      </div>
      <SelectField
        label="Authentication"
        {...field('auth')}
        hint={
          draft.auth === 'caller'
            ? 'Callers send their own Authorization header, and their key as X-Tallystick-Key'
            : 'Callers never see the credential'
        }
        choices={[
          { value: 'own', label: 'Credentials stored here' },
          { value: 'caller', label: 'The caller’s own (subscriptions)' },
        ]}
      />
      {draft.auth === 'own' && (
        <SelectField
          label="Accepted references"
          {...field('references')}
          hint="IDs of responses, conversations, files and containers that requests may name"
          choices={[
            { value: 'issued', label: 'Issued to the caller or its team' },
            { value: 'any', label: 'Also those created outside Tallystick' },
          ]}
        />
      )}
      <TextField
        label="Price list"
        {...field('pricesOf')}
        placeholder="its own name"
        hint={
          type?.pricesOf === null
            ? 'The catalogue has no prices for this type. Set your own, or its models cannot be called'
            : 'The provider in the catalogue whose prices apply. A model without a price cannot be called'
        }
      />
      {provider === null && draft.auth === 'own' && (
        <CredentialFields type={draft.type} name={field('credentialName')} value={field('credentialValue')} />
      )}
      <AdvancedFields form={form} provider={provider} />
    </FormDialog>
  )
}
