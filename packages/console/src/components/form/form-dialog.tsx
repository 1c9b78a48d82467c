import { type ReactNode, useId, useState } from 'react'
import { Button, type ButtonKind } from '../button'
import { Confirm, Dialog } from '../overlay/dialog'
import { ErrorState } from '../states'
import type { DraftForm } from './use-draft-form'

export interface FormDialogProps<Draft extends object> {
  form: DraftForm<Draft>
  title: string
  description?: ReactNode
  /** The label of the submit button. */
  action: string
  kind?: ButtonKind
  width?: 'md' | 'lg' | 'xl'
  /** The number of columns that the fields are laid out in. */
  columns?: 1 | 2
  isDisabled?: boolean
  children: ReactNode
  /** Below the form. */
  after?: ReactNode
}

/** A form in a dialog: fields, error summary and buttons. Leaving it by accident with unsaved changes asks first. */
export function FormDialog<Draft extends object>(props: FormDialogProps<Draft>) {
  const { form, title, description, action, kind = 'primary', width = 'md', columns = 1, after } = props
  const id = useId()
  const [isLeaving, setLeaving] = useState(false)
  const span = columns === 2 ? 'sm:col-span-2' : undefined
  return (
    <Dialog
      open
      onClose={() => (form.isDirty ? setLeaving(true) : form.close())}
      width={width}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={form.close}>Cancel</Button>
          <Button type="submit" form={id} kind={kind} isBusy={form.isSaving} disabled={props.isDisabled}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={id}
        {...form.props}
        className={columns === 2 ? 'grid gap-x-4 gap-y-3 sm:grid-cols-2' : 'flex flex-col gap-3'}
      >
        {props.children}
        {form.hasConflict && (
          <p role="status" className={`m-0 text-warn ${span ?? ''}`}>
            This was changed elsewhere since you opened the form. Save to keep your values, or{' '}
            <button type="button" className="link" onClick={form.reset}>
              load the stored values
            </button>
            .
          </p>
        )}
        {form.summary !== null && <ErrorState error={form.summary} className={span} />}
      </form>
      {after}
      <Confirm
        open={isLeaving}
        onClose={() => setLeaving(false)}
        title="Discard unsaved changes?"
        action="Discard changes"
        onConfirm={form.close}
      >
        What you entered in this form is not saved.
      </Confirm>
    </Dialog>
  )
}
