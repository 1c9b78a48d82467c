import { useState } from 'react'
import { Button, Dialog, ErrorState, Field, faultsOf, isBesideFields, TextArea, TextField } from '../../parts'
import { useCreatePrompt } from './use-prompts'

export function NewPrompt({ onClose, onMade }: { onClose(): void; onMade(id: string): void }) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [content, setContent] = useState('')
  const create = useCreatePrompt()
  const faultOf = faultsOf(create.error)
  const save = () =>
    create.mutate(
      { name: name.trim(), description: description.trim(), ...(content !== '' && { content }) },
      { onSuccess: ({ id }) => onMade(id) },
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="New prompt"
      width="xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" onClick={save} isBusy={create.isPending} disabled={name.trim() === ''}>
            Create
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <TextField label="Name" value={name} onValue={setName} fault={faultOf('name')} maxLength={200} />
        <TextField
          label="What it is for"
          value={description}
          onValue={setDescription}
          fault={faultOf('description')}
        />
        <ContentField value={content} onValue={setContent} fault={faultOf('content')} />
        {create.error && !isBesideFields(create.error, ['name', 'description', 'content']) && (
          <ErrorState error={create.error} />
        )}
      </form>
    </Dialog>
  )
}

export const ContentField = ({
  value,
  onValue,
  fault,
  rows = 10,
}: {
  value: string
  onValue(value: string): void
  fault: string | null
  rows?: number
}) => (
  <Field label="Text" hint="{{name}} is a variable, which the call fills in" fault={fault}>
    {(ids) => (
      <TextArea
        {...ids}
        rows={rows}
        value={value}
        onChange={({ target }) => onValue(target.value)}
        placeholder="You greet {{customer}} in one friendly sentence."
        className="mono !text-xs"
      />
    )}
  </Field>
)
