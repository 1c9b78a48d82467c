import TagIcon from 'lucide-react/icons/tag'
import { useState } from 'react'
import { Button, FormDialog, TextField, useDraftForm } from '../../components'
import { type Prompt, promptPaths, setLabel, type Version } from './use-prompts'

/** Adds a new label to this version, or moves one from another version. */
export function AddLabel({ prompt, version }: { prompt: Prompt; version: Version }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" icon={<TagIcon size={13} aria-hidden />} onClick={() => setOpen(true)}>
        Label
      </Button>
      {isOpen && <LabelForm prompt={prompt} version={version} onClose={() => setOpen(false)} />}
    </>
  )
}

function LabelForm({ prompt, version, onClose }: { prompt: Prompt; version: Version; onClose(): void }) {
  const form = useDraftForm({
    record: null,
    toDraft: () => ({ label: '' }),
    toBody: ({ label }) => ({ label, version }),
    create: async (move) => await setLabel(prompt.id, move),
    invalidates: promptPaths,
    message: ({ label }) => `Label ${label} now points to version ${version.version}`,
    onClose,
  })
  const { label } = form.draft
  const current = prompt.labels[label]?.version
  return (
    <FormDialog
      form={form}
      title={`Label version ${version.version}`}
      action={current ? 'Move' : 'Set'}
      isDisabled={label === ''}
    >
      <TextField
        label="Label"
        {...form.field('label')}
        onValue={(value) => form.set({ label: value.trim().toLowerCase() })}
        hint={
          current
            ? `Currently points to version ${current}. Calls that name it will get version ${version.version}.`
            : 'For example production or staging. Callers refer to the prompt by label.'
        }
        placeholder="production"
        maxLength={64}
      />
    </FormDialog>
  )
}
