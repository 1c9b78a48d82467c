import { TextAreaField } from './fields'
import { parseNames } from './parse'
import { SelectField } from './select'

export interface AllowListProps {
  /** The name of the choice, such as `Models` or `Tools`. */
  label: string
  /** The list as text; null allows everything. */
  value: string | null
  onValue(value: string | null): void
  /** The label of the choice that allows everything. */
  allLabel: string
  /** Shown below the choice in both cases. */
  note?: string
  /** The label of the list. */
  listLabel: string
  /** The format of an entry. */
  hint: string
  /** The warning about an empty list. */
  emptyWarning: string
  error?: string | null | undefined
  /** Suggested names that are added by a click. */
  suggestions?: { title: string; names: readonly string[] }
  rows?: number
}

const maxOffers = 8

/** Chooses between everything and an allow list. */
export function AllowList(props: AllowListProps) {
  const {
    label,
    value,
    onValue,
    allLabel,
    note,
    listLabel,
    hint,
    emptyWarning,
    error,
    suggestions,
    rows = 3,
  } = props
  const listed = parseNames(value ?? '')
  const offered = (suggestions?.names ?? []).filter((name) => !listed.includes(name)).slice(0, maxOffers)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        hint={note}
        error={value === null ? error : null}
        value={value === null ? 'all' : 'some'}
        onValue={(choice) => onValue(choice === 'all' ? null : '')}
        choices={[
          { value: 'all', label: allLabel },
          { value: 'some', label: 'Only these' },
        ]}
      />
      {value !== null && (
        <TextAreaField
          label={listLabel}
          error={error}
          hint={listed.length === 0 ? `${emptyWarning} ${hint}` : hint}
          rows={rows}
          className="mono !text-xs"
          value={value}
          onValue={onValue}
        />
      )}
      {value !== null && suggestions && offered.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
          {suggestions.title}
          {offered.map((name) => (
            <button
              key={name}
              type="button"
              className="mono rounded-sm border border-rule px-1.5 text-ink-2 hover:border-rule-2 hover:text-ink"
              onClick={() => onValue([...listed, name].join('\n'))}
            >
              + {name}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
