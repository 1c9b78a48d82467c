import ListFilter from 'lucide-react/icons/list-filter'
import X from 'lucide-react/icons/x'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { cx } from '../../../components'
import { useSession } from '../../../session'
import type { Span } from '../../../time/span'
import type { CallsSearch } from '../search'
import {
  addFilter,
  type FilterKind,
  filtersOf,
  formatFilterValue,
  kindOf,
  removeFilter,
  type SetFilter,
  withoutFilters,
} from './kinds'
import { type Suggestion, useSuggestions } from './use-suggestions'

export interface FilterBarProps {
  search: CallsSearch
  span: Span
  onChange(search: CallsSearch): void
  /** The display name of a filter value, if known. */
  nameOf(filter: SetFilter): string | null | undefined
  tags: readonly string[]
}

/** Filters as chips, and a field with suggestions. Backspace removes the last filter. */
export function FilterBar({ search, span, onChange, nameOf, tags }: FilterBarProps) {
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [kind, setKind] = useState<FilterKind | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const { role } = useSession()
  const filters = filtersOf(search)
  const { found, isLoading } = useSuggestions({
    search,
    span,
    text,
    kind,
    tags,
    isOpen,
    mayReadAll: role !== 'member',
  })
  const chosen = Math.min(activeIndex, found.length - 1)

  const clear = () => {
    setText('')
    setKind(null)
    setActiveIndex(0)
  }
  const choose = (suggestion: Suggestion | undefined) => {
    if (!suggestion) return
    if (suggestion.value === null) {
      clear()
      setKind(suggestion.kind)
      return
    }
    const next = addFilter(search, { name: suggestion.kind.name, value: suggestion.value })
    if (!next) return
    clear()
    setOpen(false)
    onChange(next)
  }
  const edit = ({ name, value }: SetFilter) => {
    setKind(kindOf(name))
    setText(name === 'tags' || name === 'minCostUsd' || name === 'requestId' ? value : '')
    setOpen(true)
    field.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) {
      event.preventDefault()
      if (!isOpen) setOpen(true)
      else if (found.length > 0) setActiveIndex((chosen + by + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      choose(found[chosen])
    } else if (event.key === 'Backspace' && text === '') {
      const last = filters.at(-1)
      if (kind) setKind(null)
      else if (last) onChange(removeFilter(search, last))
    } else if (event.key === 'Escape') {
      event.stopPropagation()
      if (text !== '' || kind) clear()
      else {
        setOpen(false)
        field.current?.blur()
      }
    }
  }

  return (
    <div className="relative min-w-0 flex-1 basis-56">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the field focuses it */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard focus is already in the field */}
      <div
        onClick={(event) => event.target === event.currentTarget && field.current?.focus()}
        className="flex min-h-8 flex-wrap items-center gap-1.5 rounded-md border border-rule-2 bg-raised px-2 py-1 focus-within:border-accent"
      >
        <ListFilter size={14} aria-hidden className="pointer-events-none shrink-0 text-ink-3" />
        {filters.map((filter) => (
          <Chip
            key={`${filter.name} ${filter.value}`}
            label={kindOf(filter.name).label}
            value={formatFilterValue(filter, nameOf(filter))}
            title={filter.value}
            onEdit={() => edit(filter)}
            onRemove={() => onChange(removeFilter(search, filter))}
          />
        ))}
        {kind && <span className="text-sm text-ink-2">{kind.label}:</span>}
        <input
          ref={field}
          data-filter
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-activedescendant={isOpen && found[chosen] ? `${listId}-${chosen}` : undefined}
          aria-label="Filter calls"
          placeholder={placeholderOf(kind, filters.length)}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => {
            setText(event.target.value)
            setActiveIndex(0)
            setOpen(true)
          }}
          onFocus={() => setOpen(true)}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            clear()
          }}
          onKeyDown={onKeyDown}
          className="h-5.5 min-w-24 flex-1 bg-transparent text-sm outline-none placeholder:text-ink-3"
        />
        {filters.length > 0 ? (
          <button
            type="button"
            onClick={() => onChange(withoutFilters(search))}
            className="shrink-0 rounded-sm px-1 text-xs text-ink-2 hover:text-ink"
          >
            Clear
          </button>
        ) : (
          <kbd
            aria-hidden
            className="shrink-0 rounded-sm border border-rule px-1 text-2xs text-ink-3 max-sm:hidden"
          >
            /
          </kbd>
        )}
      </div>
      {isOpen && (
        <Suggestions
          listId={listId}
          found={found}
          chosen={chosen}
          isLoading={isLoading}
          onPoint={setActiveIndex}
          onChoose={choose}
        />
      )}
    </div>
  )
}

function placeholderOf(kind: FilterKind | null, count: number): string {
  if (kind?.name === 'tags') return 'project=alpha'
  if (kind?.name === 'minCostUsd') return '0.05'
  if (kind?.name === 'requestId') return 'req_…'
  if (kind) return 'choose a value, or type one'
  return count > 0 ? 'add a filter …' : 'Filter by model, key, person, outcome … or paste a request ID'
}

interface ChipProps {
  label: string
  value: string
  title: string
  onEdit(): void
  onRemove(): void
}

const Chip = ({ label, value, title, onEdit, onRemove }: ChipProps) => (
  <span className="inline-flex h-6 max-w-full items-center rounded-sm bg-accent-soft text-xs text-ink">
    <button type="button" onClick={onEdit} title={title} className="min-w-0 truncate py-1 pl-2">
      <span className="text-ink-2">{label}</span> <span className="font-medium">{value}</span>
    </button>
    <button
      type="button"
      onClick={onRemove}
      aria-label={`Remove the filter ${label} ${value}`}
      className="flex h-6 w-6 items-center justify-center rounded-sm text-ink-2 hover:text-ink"
    >
      <X size={12} aria-hidden />
    </button>
  </span>
)

interface SuggestionsProps {
  listId: string
  found: readonly Suggestion[]
  chosen: number
  isLoading: boolean
  onPoint(at: number): void
  onChoose(suggestion: Suggestion): void
}

const Suggestions = ({ listId, found, chosen, isLoading, onPoint, onChoose }: SuggestionsProps) => (
  <div
    id={listId}
    role="listbox"
    aria-label="Filters"
    className="absolute top-full left-0 z-40 mt-1 max-h-80 w-full max-w-md overflow-y-auto rounded-md border border-rule-2 bg-raised py-1 text-sm shadow-float"
  >
    {found.map((one, n) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys and keeps the focus
      <div
        key={one.id}
        id={`${listId}-${n}`}
        role="option"
        tabIndex={-1}
        aria-selected={n === chosen}
        ref={n === chosen ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
        // The field must not lose the focus before the click arrives.
        onMouseDown={(event) => event.preventDefault()}
        onMouseMove={() => n !== chosen && onPoint(n)}
        onClick={() => onChoose(one)}
        className={cx('flex cursor-default items-baseline gap-3 px-3 py-1.5', n === chosen && 'bg-sunken')}
      >
        {one.value !== null && one.note !== 'as typed' && (
          <span className="w-16 shrink-0 text-xs text-ink-3">{one.kind.label}</span>
        )}
        <span className="min-w-0 truncate">{one.text}</span>
        {one.value !== null && <span className="num ml-auto shrink-0 text-xs text-ink-3">{one.note}</span>}
      </div>
    ))}
    {found.length === 0 && (
      <p className="m-0 px-3 py-1.5 text-ink-2">
        {isLoading ? 'Searching …' : 'No matches in this time range.'}
      </p>
    )}
  </div>
)
