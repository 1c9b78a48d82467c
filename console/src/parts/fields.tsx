import { Select as BaseSelect } from '@base-ui/react/select'
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, ChevronDown, Search } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx'

const control =
  'w-full rounded-md border border-rule-2 bg-raised px-2.5 text-sm text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 disabled:opacity-60 aria-invalid:border-bad'

export interface FieldProps {
  label: string
  /** What it is for or how it is written, below it. */
  hint?: ReactNode
  /** What is wrong with it. */
  fault?: string | null | undefined
  children(ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean | undefined }): ReactNode
}

/** A label, its control, and what is wrong with it. */
export function Field({ label, hint, fault, children }: FieldProps) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-xs font-medium text-ink-2">
        {label}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint`, 'aria-invalid': fault ? true : undefined })}
      <div id={`${id}-hint`} className={cx('text-xs', fault ? 'text-bad' : 'text-ink-3')}>
        {fault ?? hint}
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
  fault?: string | null | undefined
}

/** The common case: one line of text with its label. */
export const TextField = ({ label, value, onValue, hint, fault, ...rest }: TextFieldProps) => (
  <Field label={label} hint={hint} fault={fault}>
    {(ids) => <Input {...ids} {...rest} value={value} onChange={(event) => onValue(event.target.value)} />}
  </Field>
)

export interface Choice<T extends string> {
  value: T
  label: string
}

export interface SelectProps<T extends string> {
  value: T
  onValue(value: T): void
  choices: readonly Choice<T>[]
  /** For who cannot see what it belongs to; a `Field` gives `id` instead. */
  label?: string
  id?: string
  className?: string
  disabled?: boolean
}

export function Select<T extends string>({
  value,
  onValue,
  choices,
  label,
  id,
  className,
  disabled = false,
}: SelectProps<T>) {
  const chosen = choices.find((choice) => choice.value === value)
  return (
    <BaseSelect.Root
      value={value}
      onValueChange={(next) => next !== null && onValue(next)}
      disabled={disabled}
    >
      <BaseSelect.Trigger
        id={id}
        aria-label={label}
        className={cx(
          'inline-flex h-8 items-center justify-between gap-2 rounded-md border border-rule-2 bg-raised px-2.5 text-sm whitespace-nowrap hover:bg-sunken disabled:opacity-60',
          className,
        )}
      >
        <BaseSelect.Value>{() => chosen?.label ?? value}</BaseSelect.Value>
        <ChevronDown size={14} aria-hidden className="text-ink-3" />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner className="z-[60]" sideOffset={4} alignItemWithTrigger={false}>
          <BaseSelect.Popup className="max-h-80 min-w-[var(--anchor-width)] overflow-y-auto rounded-md border border-rule-2 bg-raised py-1 text-sm shadow-float outline-none">
            {choices.map((choice) => (
              <BaseSelect.Item
                key={choice.value}
                value={choice.value}
                className="grid cursor-default grid-cols-[14px_1fr] items-center gap-2 py-1.5 pr-4 pl-2.5 outline-none select-none data-[highlighted]:bg-sunken"
              >
                <BaseSelect.ItemIndicator className="col-start-1">
                  <Check size={13} aria-hidden />
                </BaseSelect.ItemIndicator>
                <BaseSelect.ItemText className="col-start-2">{choice.label}</BaseSelect.ItemText>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  )
}

export interface SwitchProps {
  checked: boolean
  onChecked(checked: boolean): void
  label: string
  /** In place of the label, for who cannot see which row it stands in. */
  name?: string
  disabled?: boolean
}

export function Switch({ checked, onChecked, label, name = label, disabled = false }: SwitchProps) {
  return (
    <span className="inline-flex items-center gap-2 text-sm">
      <BaseSwitch.Root
        checked={checked}
        onCheckedChange={onChecked}
        disabled={disabled}
        aria-label={name}
        className="flex h-4.5 w-8 rounded-full bg-rule-2 p-0.5 transition-colors data-[checked]:bg-accent data-[disabled]:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3.5 rounded-full bg-raised transition-transform data-[checked]:translate-x-3.5" />
      </BaseSwitch.Root>
      <span aria-hidden>{label}</span>
    </span>
  )
}

/** Filters a list. `/` goes there from anywhere on the page: see frame/shortcuts. */
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
