import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, type components, expectSuccess } from '../../api'
import { Button, Dialog, ErrorState } from '../../parts'
import { bodyOf, emptyDraft } from './key-draft'
import { KeyForm } from './key-form'
import { Arrival, KeyValue, OwnSnippets } from './key-value'
import { useKeyForm } from './use-key-form'
import { useLatestCall } from './use-latest-call'

export type CreatedKey = components['schemas']['CreatedKey']

/** Makes a key and hands its value to `onCreated`; the mutation itself keeps nothing that could be read later. */
export function useCreateKey(onCreated: (created: CreatedKey) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (body: components['schemas']['CreateKey']): Promise<void> => {
      onCreated(await expectSuccess(api.POST('/v1/keys', { body })))
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['/v1/keys'] }),
  })
}

/** The form, then the value. Both live as long as the dialog is open, and no longer. */
export function CreateKey({ open, onClose }: { open: boolean; onClose(): void }) {
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  if (created !== null) return <Handover created={created} onClose={close} />
  return <CreateForm key={String(open)} open={open} onClose={close} onCreated={setCreated} />
}

function CreateForm({
  open,
  onClose,
  onCreated,
}: {
  open: boolean
  onClose(): void
  onCreated(created: CreatedKey): void
}) {
  const formId = useId()
  const create = useCreateKey(onCreated)
  const form = useKeyForm(emptyDraft, create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (form.check()) create.mutate(bodyOf(form.draft))
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New key"
      description="Whoever holds it can call models through this service, within what you set here."
      width="lg"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={create.isPending}>
            Make the key
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} noValidate>
        <KeyForm draft={form.draft} onDraft={form.setDraft} faults={form.faults} />
        {form.wholeFault !== null && <ErrorState error={form.wholeFault} className="mt-4" />}
      </form>
    </Dialog>
  )
}

function Handover({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const call = useLatestCall(created.id, created.createdAt)
  return (
    <Dialog
      open
      isKept
      onClose={onClose}
      title={`“${created.name}” is made`}
      description="Its value is shown this once. Only a hash of it is stored: copy it now."
      width="xl"
      footer={
        <Button kind="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <KeyValue value={created.key} />
        <OwnSnippets value={created.key} />
        <div className="border-t border-rule pt-2">
          <Arrival call={call} waitingFor="Its first call will show up here." />
        </div>
      </div>
    </Dialog>
  )
}
