import { TextAreaField } from './fields'
import { parseNames } from './parse'
import { SelectField } from './select'

export interface AllowListProps {
  /** Of the choice: `Models`, `Tools`. */
  label: string
  /** Null for no list. */
  value: string | null
  onValue(value: string | null): void
  /** What no list means. */
  all: string
  /** Below the choice, with a list and without one. */
  note?: string
  /** Of the list itself. */
  which: string
  /** How names are written. */
  hint: string
  /** What an empty list means. */
  none: string
  error?: string | null | undefined
  /** To add by a click, and what they are. */
  offers?: { title: string; names: readonly string[] }
  rows?: number
}

const maxOffers = 8

/** Everything, or only what a list says. */
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
