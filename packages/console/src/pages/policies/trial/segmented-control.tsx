import { cx } from '../../../components'

/** A segmented control for a few choices. */
export function SegmentedControl<T extends string>({
  label,
  value,
  onValue,
  choices,
}: {
  label: string
  value: T
  onValue(value: T): void
  choices: readonly (readonly [T, string])[]
}) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex rounded-md border border-rule-2 bg-raised p-0.5"
    >
      {choices.map(([each, name]) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === value}
          onClick={() => onValue(each)}
          className={cx(
            'rounded-sm px-2.5 py-0.5 text-xs font-medium',
            each === value ? 'bg-sunken text-ink' : 'text-ink-3 hover:text-ink',
          )}
        >
          {name}
        </button>
      ))}
    </div>
  )
}
