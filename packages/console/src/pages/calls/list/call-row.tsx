import { memo, type ReactNode } from 'react'
import { cx, Money, Unknown } from '../../../components'
import { formatDuration } from '../../../format'
import { CallerCell, LocalMoment, Model, Outcome, Tokens } from './call-cells'
import type { Call } from './read-page'

/** The layout of a row by available width: all columns, the main ones, or two lines. */
export type Layout = 'wide' | 'medium' | 'narrow'

export const rowHeights: Record<Layout, number> = { wide: 32, medium: 32, narrow: 54 }

export const columnsOf: Record<Exclude<Layout, 'narrow'>, string> = {
  wide: 'grid-cols-[118px_minmax(0,1fr)_minmax(0,1.4fr)_minmax(0,1.5fr)_122px_108px_84px_68px]',
  medium: 'grid-cols-[112px_minmax(0,1fr)_minmax(0,1.2fr)_118px_76px]',
}

interface CallRowProps {
  call: Call
  id: string
  index: number
  layout: Layout
  top: number
  timeZone: string
  today: string
  isOpen: boolean
  isActive: boolean
  onOpen(call: Call, index: number): void
}

export const CallRow = memo(function CallRow({
  call,
  id,
  index,
  layout,
  top,
  timeZone,
  today,
  isOpen,
  isActive,
  onOpen,
}: CallRowProps) {
  const height = rowHeights[layout]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles keys and keeps the focus
    <div
      id={id}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      onClick={() => onOpen(call, index)}
      style={{ transform: `translateY(${top}px)`, height }}
      className={cx(
        'absolute inset-x-0 top-0 cursor-pointer border-b border-rule text-sm contain-strict',
        isOpen ? 'bg-accent-soft' : 'hover:bg-sunken',
        isActive && 'outline-2 -outline-offset-2 outline-transparent group-focus-visible:outline-accent',
      )}
    >
      {layout === 'narrow' ? (
        <NarrowCells call={call} timeZone={timeZone} today={today} />
      ) : (
        <Cells call={call} layout={layout} timeZone={timeZone} today={today} />
      )}
    </div>
  )
})

interface CellsProps {
  call: Call
  timeZone: string
  today: string
}

const Cell = ({
  children,
  className,
  title,
}: {
  children: ReactNode
  className?: string
  title?: string
}) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the list, which moves by rows
  <div role="gridcell" title={title} className={cx('truncate', className)}>
    {children}
  </div>
)

function Cells({ call, layout, timeZone, today }: CellsProps & { layout: 'wide' | 'medium' }) {
  const isWide = layout === 'wide'
  return (
    <div role="presentation" className={cx('grid h-full items-center gap-x-4 px-2', columnsOf[layout])}>
      <Cell>
        <LocalMoment at={call.ts} timeZone={timeZone} today={today} />
      </Cell>
      <Cell title={call.keyName ?? call.keyId ?? undefined}>{call.keyName ?? call.keyId ?? <Unknown />}</Cell>
      {isWide && (
        <Cell>
          <CallerCell call={call} />
        </Cell>
      )}
      <Cell className="mono !text-xs" title={call.model ?? undefined}>
        <Model call={call} />
      </Cell>
      <Cell>
        <Outcome call={call} />
      </Cell>
      {isWide && (
        <Cell className="num text-right text-ink-2">
          <Tokens call={call} />
        </Cell>
      )}
      <Cell className="text-right">
        <Money usd={call.costUsd} />
      </Cell>
      {isWide && (
        <Cell className="num text-right text-ink-2">
          {call.latencyMs === null ? <Unknown /> : formatDuration(call.latencyMs)}
        </Cell>
      )}
    </div>
  )
}

const NarrowCells = ({ call, timeZone, today }: CellsProps) => (
  <div role="presentation" className="flex h-full flex-col justify-center px-1">
    <div role="presentation" className="flex items-baseline justify-between gap-3">
      <Cell className="mono min-w-0 !text-xs font-medium">
        <Model call={call} />
      </Cell>
      <Cell className="shrink-0">
        <Money usd={call.costUsd} />
      </Cell>
    </div>
    <div role="presentation" className="flex items-baseline justify-between gap-3 text-xs text-ink-2">
      <Cell className="min-w-0">
        <LocalMoment at={call.ts} timeZone={timeZone} today={today} /> · {call.keyName ?? call.keyId}
      </Cell>
      <Cell className="shrink-0">
        <Outcome call={call} />
      </Cell>
    </div>
  </div>
)
