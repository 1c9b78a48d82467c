import Search from 'lucide-react/icons/search'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '../class-names'

const control =
  'w-full rounded-md border border-rule-2 bg-raised px-2.5 text-sm text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad'

export interface FieldProps {
  label: string
  /** What the field is for, or its format. Shown below the control. */
  hint?: ReactNode
  error?: string | null | undefined
  children(ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean | undefined }): ReactNode
}

/** A label, its control, and below it the error or the hint. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': error ? true : undefined })}
      <div id={`${id}-hint`} className={cx('text-xs', error ? 'text-bad' : 'text-ink-3')}>
        {error ?? hint}
      </div>
    </div>
  )
}

export const Input = ({ className, ...rest }: ComponentProps<'input'>) => (
  <input className={cx(control, 'h-8', className)} autoComplete="off" spellCheck={false} {...rest} />
)

export const TextArea = ({ className, ...rest }: ComponentProps<'textarea'>) => (
  <textarea className={cx(control, 'py-1.5 leading-5', className)} spellCheck={false} {...rest} />
)

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'children'> {
  label: string
  value: string
  onValue(value: string): void
  hint?: ReactNode
  error?: string | null | undefined
}

/** A labelled single-line text field. */
export const TextField = ({ label, value, onValue, hint, error, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => <Input {...ids} {...rest} value={value} onChange={(event) => onValue(event.target.value)} />}
  </Field>
)

export interface TextAreaFieldProps
  extends Omit<ComponentProps<'textarea'>, 'onChange' | 'value' | 'children'> {
  label: string
  value: string
  onValue(value: string): void
  hint?: ReactNode
  error?: string | null | undefined
}

/** A labelled multi-line text field. */
export const TextAreaField = ({ label, value, onValue, hint, error, ...rest }: TextAreaFieldProps) => (
  <Field label={label} hint={hint} error={error}>
    {(ids) => <TextArea {...ids} {...rest} value={value} onChange={(event) => onValue(event.target.value)} />}
  </Field>
)

/** Filters a list. `/` moves the focus here from anywhere on the page; see layout/shortcuts. */
export function SearchField({
  value,
  onValue,
  placeholder = 'Filter',
}: {
  value: string
  onValue(value: string): void
  placeholder?: string
}) {
  return (
    <span className="relative inline-flex w-56 max-w-full items-center">
      <Search size={14} aria-hidden className="pointer-events-none absolute left-2.5 text-ink-3" />
      <Input
        type="search"
        data-filter
        value={value}
        aria-label={placeholder}
        placeholder={placeholder}
        className="pl-8"
        onChange={(event) => onValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.currentTarget.blur()
          onValue('')
        }}
      />
    </span>
  )
}
