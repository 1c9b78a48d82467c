import { api, expectSuccess } from '../../../api'
import { FormDialog, useDraftForm } from '../../../components'
import { type Key, keyPaths } from '../use-keys'
import { apiPaths, toBody, toDraft, validate } from './key-draft'
import { KeyFields } from './key-fields'

/** Edits the settings of a key; its value does not change. */
export function EditKey({ subject, onClose }: { subject: Key; onClose(): void }) {
  const form = useDraftForm({
    record: subject,
    toDraft,
    toBody,
    validate,
    paths: apiPaths,
    update: async (body, { id }) =>
      await expectSuccess(api.PATCH('/v1/keys/{id}', { params: { path: { id } }, body })),
    invalidates: keyPaths,
    message: ({ name }) => `Key “${name}” saved`,
    onClose,
  })
  return (
    <FormDialog
      form={form}
      title={`Edit “${subject.name}”`}
      description="Applies from the next call, on every replica within a second."
      action="Save"
      width="lg"
      columns={2}
    >
      <KeyFields form={form} />
    </FormDialog>
  )
}
