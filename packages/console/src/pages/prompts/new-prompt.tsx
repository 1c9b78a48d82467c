import { api, expectSuccess } from '../../api'
import { FormDialog, TextAreaField, TextField, useDraftForm } from '../../components'
import { promptPaths } from './use-prompts'

export function NewPrompt({ onClose, onCreated }: { onClose(): void; onCreated(id: string): void }) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ name: '', description: '', content: '' }),
    toBody: ({ name, description, content }) => ({
      name: name.trim(),
      description: description.trim(),
      ...(content !== '' && { content }),
    }),
    create: async (body) => await expectSuccess(api.POST('/v1/prompts', { body })),
    invalidates: promptPaths,
    message: ({ name }) => `Prompt “${name}” created`,
    onSaved: ({ id }) => onCreated(id),
    onClose,
  })
  return (
    <FormDialog
      form={form}
      title="New prompt"
      width="xl"
      action="Create prompt"
      isDisabled={form.draft.name.trim() === ''}
    >
      <TextField label="Name" {...form.field('name')} maxLength={200} />
      <TextField label="Description" {...form.field('description')} />
      <ContentField {...form.field('content')} />
    </FormDialog>
  )
}

interface ContentFieldProps {
  value: string
  onValue(value: string): void
  error: string | null
}

export const ContentField = (props: ContentFieldProps) => (
  <TextAreaField
    label="Text"
    hint="{{name}} is a variable; each call supplies its value"
    rows={10}
    placeholder="You greet {{customer}} in one friendly sentence."
    className="mono !text-xs"
    {...props}
  />
)
