import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type components, expectSuccess, useInvalidate } from '../../../api'
import { Button, Dialog, FormDialog, useDraftForm } from '../../../components'
import { FirstCall, KeyValue, OwnSnippets } from '../key-value'
import { keyPaths } from '../use-keys'
import { useLatestCall } from '../use-latest-call'
import { apiPaths, toBody, toDraft, validate } from './key-draft'
import { KeyFields } from './key-fields'

export type CreatedKey = components['schemas']['CreatedKey']

const createKey = async (body: components['schemas']['CreateKey']): Promise<CreatedKey> =>
  await expectSuccess(api.POST('/v1/keys', { body }))

/** Creates a key and passes its value to `onCreated`. The mutation cache does not keep it. */
export function useCreateKey(onCreated: (created: CreatedKey) => void) {
  const invalidate = useInvalidate(keyPaths)
  return useMutation({
    mutationFn: async (body: components['schemas']['CreateKey']): Promise<void> => {
      onCreated(await createKey(body))
    },
    onSuccess: () => void invalidate(),
  })
}

/** The form, then the value of the new key. Both exist only while the dialog is open. */
export function CreateKey({ open, onClose }: { open: boolean; onClose(): void }) {
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const close = () => {
    setCreated(null)
    onClose()
  }
  if (created !== null) return <CreatedDialog created={created} onClose={close} />
  return open ? <CreateForm onClose={close} onCreated={setCreated} /> : null
}

function CreateForm({ onClose, onCreated }: { onClose(): void; onCreated(created: CreatedKey): void }) {
  const form = useDraftForm({
    record: null,
    toDraft,
    toBody,
    validate,
    paths: apiPaths,
    create: createKey,
    invalidates: keyPaths,
    onSaved: onCreated,
  })
  return (
    <FormDialog
      form={{ ...form, close: onClose }}
      title="New key"
      description="Whoever holds the key can make calls within the limits you set here."
      action="Create key"
      width="lg"
      columns={2}
    >
      <KeyFields form={form} />
    </FormDialog>
  )
}

function CreatedDialog({ created, onClose }: { created: CreatedKey; onClose(): void }) {
  const call = useLatestCall(created.id, created.createdAt)
  return (
    <Dialog
      open
      ignoresOutsideClicks
      onClose={onClose}
      title={`Key “${created.name}” created`}
      description="Copy the value now: it is shown once, and only its hash is stored."
      width="xl"
      footer={
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <KeyValue value={created.key} />
        <OwnSnippets value={created.key} />
        <div className="border-t border-rule pt-2">
          <FirstCall call={call} waitingFor="Its first call will appear here." />
        </div>
      </div>
    </Dialog>
  )
}
