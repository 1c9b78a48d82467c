import { Select as BaseSelect } from '@base-ui/react/select'
import Check from 'lucide-react/icons/check'
import ChevronDown from 'lucide-react/icons/chevron-down'
import type { ReactNode } from 'react'
import { cx } from '../class-names'
import { Field } from './fields'

export interface Choice<T extends string> {
  value: T
  label: string
}

export interface SelectProps<T extends string> {
  value: T
  onValue(value: T): void
  choices: readonly Choice<T>[]
  /** The accessible name. A `Field` gives `id` instead. */
  label?: string
  id?: string
  className?: string
  disabled?: boolean
  'aria-invalid'?: boolean | undefined
}

export function Select<T extends string>({
  value,
  onValue,
  choices,
  label,
  id,
  className,
  disabled = false,
  'aria-invalid': isInvalid,
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
        aria-invalid={isInvalid}
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

export interface SelectFieldProps<T extends string> extends Omit<SelectProps<T>, 'id' | 'label'> {
  label: string
  hint?: ReactNode
  error?: string | null | undefined
}

/** A labelled select that fills its column. */
export const SelectField = <T extends string>({ label, hint, error, ...select }: SelectFieldProps<T>) => (
  <Field label={label} hint={hint} error={error}>
    {({ id, 'aria-invalid': isInvalid }) => (
      <Select<T> id={id} aria-invalid={isInvalid} className="w-full" {...select} />
    )}
  </Field>
)
