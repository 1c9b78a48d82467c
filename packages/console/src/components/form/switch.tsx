import { Switch as BaseSwitch } from '@base-ui/react/switch'

export interface SwitchProps {
  checked: boolean
  onChecked(checked: boolean): void
  label: string
  /** The accessible name, if the label alone does not identify the row. */
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

export interface CheckboxProps {
  checked: boolean
  onChecked(checked: boolean): void
  label: string
  className?: string
}

export const Checkbox = ({ checked, onChecked, label, className = '' }: CheckboxProps) => (
  <label className={`flex items-center gap-2 ${className}`}>
    <input
      type="checkbox"
      className="size-4 accent-accent"
      checked={checked}
      onChange={({ target }) => onChecked(target.checked)}
    />
    {label}
  </label>
)
