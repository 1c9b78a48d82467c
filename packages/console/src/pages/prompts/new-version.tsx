import { api, expectSuccess } from '../../api'
import { FormDialog, useDraftForm } from '../../components'
import { DiffView } from './diff-view'
import { ContentField } from './new-prompt'
import { promptPaths } from './use-prompts'

interface NewVersionProps {
  promptId: string
  base: string
  onClose(): void
  onCreated(version: number): void
}

/** Creates a version. Versions are immutable, so the form starts with the text of the open one. */
export function NewVersion({ promptId, base, onClose, onCreated }: NewVersionProps) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ content: base }),
    toBody: ({ content }) => ({ promptId, content }),
    create: async (body) => await expectSuccess(api.POST('/v1/prompts/versions', { body })),
    invalidates: promptPaths,
    message: ({ version }) => `Version ${version} created; no label points to it yet`,
    onSaved: ({ version }) => onCreated(version),
    onClose,
  })
  const { content } = form.draft
  return (
    <FormDialog
      form={form}
      title="New version"
      description="It becomes the latest version at once: calls that name no label, or latest, use it. Labels do not move."
      width="xl"
      action="Save version"
      isDisabled={content === '' || !form.isDirty}
    >
      <ContentField {...form.field('content')} />
      {base !== '' && <DiffView before={base} after={content} label="Changes" />}
    </FormDialog>
  )
}
