import { useState } from 'react'
import { Button, Dialog, ErrorState, faultsOf, isBesideFields } from '../../parts'
import { DiffView } from './diff-view'
import { ContentField } from './new-prompt'
import { useAppend } from './use-prompts'

/** A version is never changed: a new one begins with the text of the one that is shown. */
export function NewVersion({
  promptId,
  base,
  onClose,
  onMade,
}: {
  promptId: string
  base: string
  onClose(): void
  onMade(version: number): void
}) {
  const [content, setContent] = useState(base)
  const append = useAppend(promptId)
  return (
    <Dialog
      open
      onClose={onClose}
      title="New version"
      description="It is the newest at once: calls that name no label, or latest, get it. Labels stay where they are."
      width="xl"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            isBusy={append.isPending}
            disabled={content === '' || content === base}
            onClick={() => append.mutate(content, { onSuccess: ({ version }) => onMade(version) })}
          >
            Save version
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <ContentField value={content} onValue={setContent} fault={faultsOf(append.error)('content')} />
        {append.error && !isBesideFields(append.error, ['content']) && <ErrorState error={append.error} />}
        {base !== '' && <DiffView before={base} after={content} label="What will change" />}
      </div>
    </Dialog>
  )
}
