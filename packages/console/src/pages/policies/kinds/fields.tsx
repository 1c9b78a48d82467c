import type { ReactNode } from 'react'
import { Field, TextArea } from '../../../components'

export const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]

export const readText = (value: unknown, fallback = ''): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : fallback

export const readList = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

export const readLines = (value: unknown): string => readList(value).join('\n')

/** A text area with one list item per line. */
export function Lines({
  label,
  hint,
  value,
  onValue,
  error,
  disabled,
  placeholder,
}: {
  label: string
  hint: string
  value: string
  onValue(value: string): void
  error: string | undefined
  disabled: boolean
  placeholder?: string
}) {
  const rows = Math.min(12, Math.max(4, value.split('\n').length + 1))
  const count = linesOf(value).length
  return (
    <Field label={count > 1 ? `${label} (${count})` : label} hint={hint} error={error}>
      {(ids) => (
        <TextArea
          {...ids}
          rows={rows}
          value={value}
          onChange={(event) => onValue(event.target.value)}
          disabled={disabled}
          placeholder={placeholder}
          className="mono !text-sm"
        />
      )}
    </Field>
  )
}

export const ErrorLine = ({ error }: { error: ReactNode }) =>
  error ? <p className="m-0 mt-0.5 text-xs text-bad">{error}</p> : null
