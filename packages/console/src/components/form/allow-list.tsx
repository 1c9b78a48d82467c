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
  all: string
  /** Shown below the choice in both cases. */
  note?: string
  /** The label of the list. */
  which: string
  /** The format of an entry. */
  hint: string
  /** The warning about an empty list. */
  none: string
  error?: string | null | undefined
  /** Suggested names that are added by a click. */
  offers?: { title: string; names: readonly string[] }
  rows?: number
}

const maxOffers = 8

/** Chooses between everything and an allow list. */
export function AllowList(props: AllowListProps) {
  const { label, value, onValue, all, note, which, hint, none, error, offers, rows = 3 } = props
  const listed = parseNames(value ?? '')
  const offered = (offers?.names ?? []).filter((name) => !listed.includes(name)).slice(0, maxOffers)
  return (
    <div className="flex flex-col gap-2">
      <SelectField
        label={label}
        hint={note}
        error={value === null ? error : null}
        value={value === null ? 'all' : 'some'}
        onValue={(choice) => onValue(choice === 'all' ? null : '')}
        choices={[
          { value: 'all', label: all },
          { value: 'some', label: 'Only these' },
        ]}
      />
      {value !== null && (
        <TextAreaField
          label={which}
          error={error}
          hint={listed.length === 0 ? `${none} ${hint}` : hint}
          rows={rows}
          className="mono !text-xs"
          value={value}
          onValue={onValue}
        />
      )}
      {value !== null && offers && offered.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5 text-xs text-ink-3">
          {offers.title}
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
