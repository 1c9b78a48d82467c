import { api, expectSuccess } from '../../../api'
import { FormDialog, TextField, useDraftForm } from '../../../components'
import { type Credential, type Provider, providerPaths } from '../use-providers'
import { findType } from './types'

/** The form of a new credential. Its value is dropped after it was sent. */
export const useCredentialForm = (
  provider: Provider,
  options: {
    weight: number
    message?(added: Credential): string
    onSaved?(added: Credential): void
    onClose?(): void
  },
) =>
  useDraftForm({
    record: null,
    toDraft: () => ({ name: '', value: '', weight: String(options.weight) }),
    toBody: ({ name, value, weight }) => ({ name, value, weight: Number(weight) }),
    create: async (body): Promise<Credential> =>
      await expectSuccess(
        api.POST('/v1/providers/{id}/credentials', { params: { path: { id: provider.id } }, body }),
      ),
    invalidates: providerPaths,
    ...options,
  })

interface TextBinding {
  value: string
  onValue(value: string): void
  error: string | null
}

interface CredentialFieldsProps {
  type: string
  name: TextBinding
  value: TextBinding
}

export const CredentialFields = ({ type, name, value }: CredentialFieldsProps) => (
  <>
    <TextField
      label="Credential name"
      {...name}
      hint="Identifies the credential in this console"
      placeholder={currentMonth()}
    />
    <TextField
      label="Value"
      type="password"
      {...value}
      hint={findType(type)?.credential ?? 'Only if the server requires one'}
    />
  </>
)

/** 2026-11: a common name for a credential that is rotated regularly. */
export const currentMonth = () => new Date().toISOString().slice(0, 7)

export function AddCredential({ provider, onClose }: { provider: Provider; onClose(): void }) {
  const form = useCredentialForm(provider, {
    weight: 1,
    message: ({ name }) => `Credential “${name}” added`,
    onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Add a credential to ${provider.name}`}
      description="Used immediately, together with the others and in proportion to the weights."
      action="Add credential"
    >
      <CredentialFields type={provider.type} name={form.field('name')} value={form.field('value')} />
      <TextField
        label="Weight"
        {...form.field('weight')}
        inputMode="numeric"
        hint="Twice the weight receives twice the calls"
      />
    </FormDialog>
  )
}
