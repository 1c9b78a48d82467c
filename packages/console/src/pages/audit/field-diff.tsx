import { cx } from '../../components'
import type { AuditEntry } from './action-names'
import { type ChangedField, changedFields } from './changed-fields'

/** The changed fields with their old and new values. */
export function FieldDiff({ entry }: { entry: AuditEntry }) {
  const { before, after } = entry
  const isChange = before !== null && after !== null
  const fields = changedFields(before, after).filter((field) => isChange || isInformative(field))
  if (fields.length === 0)
    return (
      <p className="m-0 text-ink-2">
        {before === null && after === null ? 'It changed no fields.' : 'No field changed.'}
      </p>
    )
  return (
    <table className="w-full table-fixed border-collapse text-xs" aria-label="Fields">
      <thead>
        <tr className="text-left text-ink-3">
          <th className="w-[22%] py-1 pr-4 font-medium max-md:w-[30%]">Field</th>
          {before !== null && <th className="py-1 pr-4 font-medium">{isChange ? 'Before' : 'Was'}</th>}
          {after !== null && <th className="py-1 font-medium">{isChange ? 'After' : 'Is'}</th>}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.path} className="border-t border-rule align-baseline">
            <td className="py-1 pr-4 break-words text-ink-2">{field.path}</td>
            {before !== null && (
              <td className="py-1 pr-4">
                <Value value={field.before} side={isChange ? 'old' : null} />
              </td>
            )}
            {after !== null && (
              <td className="py-1">
                <Value value={field.after} side={isChange ? 'new' : null} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ value, side }: { value: ChangedField['before']; side: 'old' | 'new' | null }) {
  const text = textOf(value)
  return (
    <span
      className={cx(
        'mono box-decoration-clone break-words whitespace-pre-wrap',
        side !== null && 'rounded-sm px-1',
        side === 'old' && 'bg-bad-soft text-bad',
        side === 'new' && 'bg-ok-soft text-ok',
        side === null && (value === null || value === undefined) && 'text-ink-3',
      )}
    >
      {text}
    </span>
  )
}

const display = new Set(['id', 'tenantId', 'createdAt', 'createdBy'])

/** Leaves out empty fields of a created or deleted record, and those that repeat the entry. */
function isInformative({ path, before, after }: ChangedField): boolean {
  const value = after ?? before ?? null
  return value !== null && JSON.stringify(value) !== '{}' && !display.has(path)
}

function textOf(value: unknown): string {
  if (value === undefined) return '–'
  if (value === null) return 'none'
  if (typeof value === 'string') return value === '' ? '“”' : value
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.length === 0 ? 'an empty list' : value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value)
}
