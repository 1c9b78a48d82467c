import Check from 'lucide-react/icons/check'
import Download from 'lucide-react/icons/download'
import Link2 from 'lucide-react/icons/link-2'
import { useState } from 'react'
import { Button, buttonClass, cx, Dialog, Select, Switch, TextField, useCopy } from '../../components'
import {
  type Dimension,
  dimensionNames,
  isNamedDimension,
  isTagDimension,
  nameOfDimension,
} from '../../usage-dimensions'
import { intervals, type UsageMeasure, type UsageSearch } from './search'

const otherTag = 'other tag …'
const none = 'none'

interface ControlsProps {
  search: UsageSearch
  by: readonly Dimension[]
  /** The known tags. */
  tags: readonly string[]
  isMember: boolean
  /** The default interval of the span. */
  auto: string
  onChange(search: Partial<UsageSearch>): void
}

/** Chooses measure, dimensions, interval and chart type. All of them are in the URL. */
export function Controls({ search, by, tags, isMember, auto, onChange }: ControlsProps) {
  const [tagDialogFor, setTagDialogFor] = useState<0 | 1 | null>(null)
  const [first = 'model', second] = by
  const choose = (place: 0 | 1, value: string) => {
    if (value === otherTag) return setTagDialogFor(place)
    if (place === 1 && value === none) return onChange({ by: [first], only: undefined })
    if (!isNamedDimension(value) && !isTagDimension(value)) return
    const next: Dimension[] =
      place === 0 ? [value, ...(second && second !== value ? [second] : [])] : [first, value]
    onChange({ by: next, only: undefined })
  }
  const named = Object.keys(dimensionNames).filter(
    (name): name is keyof typeof dimensionNames =>
      isNamedDimension(name) && !(isMember && (name === 'user' || name === 'team')),
  )
  const choicesExcept = (taken: Dimension | undefined, extra: readonly string[]) => [
    ...extra.map((value) => ({ value, label: value })),
    ...[...new Set<Dimension>([...named, ...tags.map((tag): Dimension => `tag.${tag}`), ...by])]
      .filter((dimension) => dimension !== taken)
      .map((value) => ({ value: value as string, label: nameOfDimension(value) })),
    { value: otherTag, label: otherTag },
  ]
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <SegmentedControl
        label="Measure"
        value={search.measure ?? 'spend'}
        choices={[
          { value: 'spend', label: 'Spend' },
          { value: 'calls', label: 'Calls' },
          { value: 'tokens', label: 'Tokens' },
        ]}
        onValue={(measure: UsageMeasure) => onChange({ measure: measure === 'spend' ? undefined : measure })}
      />
      <span className="flex flex-wrap items-center gap-2">
        <span className="text-ink-3">by</span>
        <Select
          label="First dimension"
          value={first as string}
          choices={choicesExcept(undefined, [])}
          onValue={(value) => choose(0, value)}
        />
        <span className="text-ink-3">and</span>
        <Select
          label="Second dimension"
          value={second ?? none}
          choices={choicesExcept(first, [none])}
          onValue={(value) => choose(1, value)}
        />
      </span>
      <Select
        label="Interval"
        value={search.interval ?? 'auto'}
        choices={[
          { value: 'auto', label: `Auto: by ${auto}` },
          ...intervals.map((value) => ({ value, label: `By ${value}` })),
        ]}
        onValue={(value) => onChange({ interval: intervals.find((each) => each === value) })}
      />
      <SegmentedControl
        label="Chart type"
        value={search.plot ?? 'bars'}
        choices={[
          { value: 'bars', label: 'Bars' },
          { value: 'area', label: 'Area' },
        ]}
        onValue={(plot: 'bars' | 'area') => onChange({ plot: plot === 'area' ? plot : undefined })}
      />
      <Switch
        label="Compare"
        checked={search.compare === true}
        onChecked={(checked) => onChange({ compare: checked || undefined })}
      />
      {tagDialogFor !== null && (
        <AskTag
          onClose={() => setTagDialogFor(null)}
          onTag={(tag) => {
            setTagDialogFor(null)
            choose(tagDialogFor, `tag.${tag}`)
          }}
        />
      )}
    </div>
  )
}

interface SegmentedControlProps<T extends string> {
  label: string
  value: T
  choices: readonly { value: T; label: string }[]
  onValue(value: T): void
}

/** A segmented control for a few choices. */
function SegmentedControl<T extends string>({ label, value, choices, onValue }: SegmentedControlProps<T>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="inline-flex h-8 overflow-hidden rounded-md border border-rule-2 bg-raised p-0.5"
    >
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          aria-pressed={choice.value === value}
          onClick={() => onValue(choice.value)}
          className={cx(
            'rounded-sm px-2.5 text-sm -outline-offset-2',
            choice.value === value ? 'bg-sunken font-medium text-ink' : 'text-ink-2 hover:text-ink',
          )}
        >
          {choice.label}
        </button>
      ))}
    </div>
  )
}

function AskTag({ onClose, onTag }: { onClose(): void; onTag(tag: string): void }) {
  const [tag, setTag] = useState('')
  const isTag = isTagDimension(`tag.${tag}`)
  return (
    <Dialog
      open
      onClose={onClose}
      title="By which tag?"
      description="Calls have the tags of the header X-Tallystick-Tags and of their key."
      footer={
        <Button kind="primary" disabled={!isTag} onClick={() => onTag(tag)}>
          Show
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isTag) onTag(tag)
        }}
      >
        <TextField label="Name of the tag" placeholder="project" value={tag} onValue={setTag} />
      </form>
    </Dialog>
  )
}

/** Downloads the table as CSV, and copies a link to the current view. */
export function ExportActions({ csvUrl, link }: { csvUrl: string; link: string }) {
  const { copied, copy } = useCopy(link)
  return (
    <div className="ml-auto flex gap-2">
      <Button
        onClick={copy}
        icon={copied ? <Check size={14} aria-hidden /> : <Link2 size={14} aria-hidden />}
      >
        {copied ? 'Copied' : 'Copy link'}
      </Button>
      <a href={csvUrl} download className={buttonClass()}>
        <Download size={14} aria-hidden /> CSV
      </a>
    </div>
  )
}
