import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, expectSuccess } from '../../../api'
import { Button, Dialog, ErrorState, faultsOf, isBesideFields, say, TextField } from '../../../parts'
import { type Credential, type Provider, useRefresh } from '../use-providers'
import { wordsOfType } from './types'

/** The value is sent and forgotten: neither the mutation nor the page keeps it. */
export function useAddCredential(provider: Provider, onAdded: (credential: Credential) => void) {
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async (body: { name: string; value: string; weight?: number }) =>
      await expectSuccess(
        api.POST('/v1/providers/{id}/credentials', { params: { path: { id: provider.id } }, body }),
      ),
    gcTime: 0,
    async onSuccess(added) {
      await refresh()
      onAdded(added)
    },
  })
}

const fields = ['name', 'value', 'weight']

export interface CredentialFieldsProps {
  type: string
  name: string
  onName(name: string): void
  value: string
  onValue(value: string): void
  faultOf(field: string): string | null
}

export const CredentialFields = ({ type, name, onName, value, onValue, faultOf }: CredentialFieldsProps) => (
  <>
    <TextField
      label="Name of the credential"
      value={name}
      onValue={onName}
      fault={faultOf('name')}
      hint="To tell it from the next one"
      placeholder={currentMonth()}
    />
    <TextField
      label="Value"
      type="password"
      value={value}
      onValue={onValue}
      fault={faultOf('value')}
      hint={wordsOfType(type)?.credential ?? 'Only if the server asks for one'}
    />
  </>
)

/** 2026-11: what most call a credential that they replace now and then. */
export const currentMonth = () => new Date().toISOString().slice(0, 7)

export function AddCredential({ provider, onClose }: { provider: Provider; onClose(): void }) {
  const formId = useId()
  const [name, setName] = useState('')
  const [value, setValue] = useState('')
  const [weight, setWeight] = useState('1')
  const add = useAddCredential(provider, () => {
    say(`Credential ${name} is in use`)
    onClose()
  })
  const faultOf = faultsOf(add.error)
  const send = (event: FormEvent) => {
    event.preventDefault()
    add.mutate({ name, value, weight: Number(weight) })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Add a credential to ${provider.name}`}
      description="Used beside the others at once, in proportion to the weights."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} isBusy={add.isPending}>
            Add
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={send} className="grid gap-3" autoComplete="off">
        <CredentialFields
          type={provider.type}
          name={name}
          onName={setName}
          value={value}
          onValue={setValue}
          faultOf={faultOf}
        />
        <TextField
          label="Weight"
          value={weight}
          onValue={setWeight}
          inputMode="numeric"
          fault={faultOf('weight')}
          hint="Twice the weight gets twice the calls"
        />
        {add.error && !isBesideFields(add.error, fields) && <ErrorState error={add.error} />}
      </form>
    </Dialog>
  )
}
