import { useNavigate } from '@tanstack/react-router'
import ChevronDown from 'lucide-react/icons/chevron-down'
import { useState } from 'react'
import { Button, buttonClass, Dialog, Menu, TextField } from '../components'
import { formatMoment } from '../format'
import { rangeNames, ranges } from '../time/span'
import { useSpan } from '../time/use-span'
import { ownTimeZone, toLocalInput } from '../time/zone'

/** The time range and time zone of the page. Both are in the URL. */
export function TimeRangePicker() {
  const { range, from, to, timeZone } = useSpan()
  const navigate = useNavigate()
  const [isCustomOpen, setCustomOpen] = useState(false)
  const name =
    range === null
      ? `${formatMoment(from, timeZone).slice(0, -8)} – ${formatMoment(to, timeZone).slice(0, -8)}`
      : rangeNames[range]
  const choose = (search: object) =>
    void navigate({
      to: '.',
      search: (before: object) => ({
        ...before,
        range: undefined,
        from: undefined,
        to: undefined,
        ...search,
      }),
      replace: true,
    })
  const isUtc = timeZone === 'UTC'
  return (
    <div className="flex items-center gap-2">
      <Menu
        trigger={
          <button type="button" className={buttonClass()} aria-label={`Time range: ${name}`}>
            {name} <ChevronDown size={14} aria-hidden className="text-ink-3" />
          </button>
        }
        items={[
          ...ranges.map((each) => ({
            label: rangeNames[each],
            isChosen: each === range,
            onSelect: () => choose({ range: each }),
          })),
          { label: 'Custom …', isChosen: range === null, onSelect: () => setCustomOpen(true) },
        ]}
      />
      {ownTimeZone !== 'UTC' && (
        <Button
          onClick={() =>
            void navigate({
              to: '.',
              search: (before: object) => ({ ...before, tz: isUtc ? undefined : 'UTC' }),
              replace: true,
            })
          }
          title={`Times are in ${timeZone}. Click for ${isUtc ? ownTimeZone : 'UTC'}`}
        >
          {isUtc ? 'UTC' : 'Local'}
        </Button>
      )}
      {isCustomOpen && (
        <CustomRange from={from} to={to} onClose={() => setCustomOpen(false)} onChoose={choose} />
      )}
    </div>
  )
}

interface CustomRangeProps {
  from: Date
  to: Date
  onClose(): void
  onChoose(search: { from: string; to: string }): void
}

function CustomRange({ from, to, onClose, onChoose }: CustomRangeProps) {
  const [first, setFirst] = useState(toLocalInput(from))
  const [last, setLast] = useState(toLocalInput(to))
  const isInOrder = Date.parse(first) < Date.parse(last)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Time range"
      footer={
        <Button
          kind="primary"
          disabled={!isInOrder}
          onClick={() => {
            onChoose({ from: new Date(first).toISOString(), to: new Date(last).toISOString() })
            onClose()
          }}
        >
          Show
        </Button>
      }
    >
      <div className="grid gap-3 sm:grid-cols-2">
        <TextField label="From" type="datetime-local" value={first} onValue={setFirst} />
        <TextField
          label="Until"
          type="datetime-local"
          value={last}
          onValue={setLast}
          error={isInOrder ? null : 'Must be after the start'}
        />
      </div>
    </Dialog>
  )
}
