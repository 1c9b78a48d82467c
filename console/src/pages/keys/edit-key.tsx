import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId } from 'react'
import { api, expectSuccess } from '../../api'
import { Button, Dialog, ErrorState, say } from '../../parts'
import { changesOf, draftOf } from './key-draft'
import { KeyForm } from './key-form'
import { useKeyForm } from './use-key-form'
import type { Key } from './use-keys'

/** Changes the settings of a key; its value stays. */
export function EditKey({ subject, onClose }: { subject: Key; onClose(): void }) {
  const formId = useId()
  const queries = useQueryClient()
  const update = useMutation({
    mutationFn: async (body: ReturnType<typeof changesOf>) =>
      await expectSuccess(api.PATCH('/v1/keys/{id}', { params: { path: { id: subject.id } }, body })),
    onSuccess: async (key) => {
      say(`“${key.name}” is changed, from its next call on`)
      await Promise.all(
        ['/v1/keys', '/v1/keys/{id}'].map((path) => queries.invalidateQueries({ queryKey: [path] })),
      )
      onClose()
    },
  })
  const form = useKeyForm(draftOf(subject), update.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!form.check()) return
    const changes = changesOf(form.draft, subject)
    if (Object.keys(changes).length === 0) onClose()
    else update.mutate(changes)
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Change “${subject.name}”`}
      description="Counts from the next call on, on every replica within a second."
      width="lg"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} kind="primary" isBusy={update.isPending}>
            Save
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
