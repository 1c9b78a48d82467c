import type { ComponentProps, ReactNode } from 'react'
import { cx } from './class-names'

export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

const kinds: Record<ButtonKind, string> = {
  plain: 'border border-rule-2 bg-raised text-ink hover:bg-sunken',
  primary: 'border border-transparent bg-accent text-accent-ink hover:opacity-90',
  danger: 'border border-bad bg-raised text-bad hover:bg-bad-soft',
  quiet: 'border border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
}

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: ButtonKind
  size?: 'sm' | 'md'
  isBusy?: boolean
  icon?: ReactNode
}

/** Button classes for links that look like buttons. */
export const buttonClass = (kind: ButtonKind = 'plain', size: 'sm' | 'md' = 'md') =>
  cx(
    'inline-flex items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap no-underline transition-colors select-none',
    'disabled:opacity-50',
    size === 'sm' ? 'h-7 px-2.5 text-xs' : 'h-8 px-3 text-sm',
    kinds[kind],
  )

export function Button({
  kind = 'plain',
  size = 'md',
  isBusy = false,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      className={cx(buttonClass(kind, size), isBusy && 'opacity-50', className)}
      // A busy button is not `disabled`, because disabling it would move the keyboard focus away.
      aria-disabled={isBusy || undefined}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {icon}
      {children}
    </button>
  )
}

/** A button with only an icon; `label` is its accessible name. */
export function IconButton({
  label,
  className,
  children,
  ...rest
}: ComponentProps<'button'> & { label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={cx(
        'inline-flex size-7 items-center justify-center rounded-md text-ink-2 transition-colors hover:bg-sunken hover:text-ink disabled:opacity-50',
        className,
      )}
      {...rest}
    >
      {children}
    </button>
  )
}
