import { Wrench } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { cx, Dot, Money, nameOfOutcome, toneOfOutcome, Unknown } from '../../../components'
import { formatDuration, formatInteger, formatRelative } from '../../../format'
import { formatLocal } from './clock'
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

/** The local time, with the day unless it is today; relative on hover. */
function LocalMoment({ at, timeZone, today }: { at: string; timeZone: string; today: string }) {
  const { clock, day } = formatLocal(at, timeZone)
  return (
    <time
      dateTime={at}
      className="mono !text-xs"
      onMouseEnter={(event) => {
        event.currentTarget.title = formatRelative(new Date(at), new Date())
      }}
    >
      {clock}
      {day !== today && <span className="text-ink-3"> {day}</span>}
    </time>
  )
}

function CallerCell({ call }: { call: Call }) {
  const person = call.userName ?? call.userId
  const team = call.teamName ?? call.teamId
  if (person === null && team === null) return <Unknown />
  return (
    <span title={[person, team].filter(Boolean).join(' · ')}>
      {person}
      {team !== null && (
        <span className="text-ink-3">
          {person !== null && ' · '}
          {team}
        </span>
      )}
    </span>
  )
}

const Model = ({ call }: { call: Call }) => (
  <>
    {call.kind === 'tool' ? <ToolName call={call} /> : <ModelName call={call} />}
    {call.attempt > 1 && (
      <span className="text-ink-3" title={`Attempt ${call.attempt} of this call`}>
        {' '}
        #{call.attempt}
      </span>
    )}
  </>
)

/** Shows a tool so that it cannot be mistaken for a model. */
const ToolName = ({ call: { server, tool, method } }: { call: Call }) => (
  <>
    <Wrench
      size={12}
      aria-label={method === 'tools/call' ? 'tool' : (method ?? 'tool')}
      className="mr-1.5 inline-block align-[-1px] text-ink-3"
    />
    <span className="text-ink-3">{server} </span>
    {tool}
  </>
)

function ModelName({ call }: { call: Call }) {
  const { model, askedModel, route } = call
  const asked = route ?? askedModel?.split('/').at(-1)
  if (model === null) return askedModel ?? <Unknown />
  if (asked === undefined || asked === model || model.endsWith(`/${asked}`)) return model
  return (
    <>
      <span className="text-ink-3">{asked} → </span>
      {model}
    </>
  )
}

/** Successful calls are shown without emphasis. */
function Outcome({ call: { outcome, status, cache, toolError, rpcCode } }: { call: Call }) {
  const isOwnError = toolError && outcome === 'ok'
  const tone = isOwnError ? 'warn' : toneOfOutcome(outcome)
  const words = isOwnError ? 'tool failed' : rpcCode === null ? nameOfOutcome(outcome) : 'protocol error'
  if (outcome === 'ok' && !isOwnError)
    return <span className="text-ink-3">{cache === 'hit' ? 'ok, from cache' : 'ok'}</span>
  return (
    <span
      className="inline-flex items-center gap-1.5"
      title={rpcCode !== null ? `${words}, ${rpcCode}` : status === null ? words : `${words}, ${status}`}
    >
      <Dot tone={tone} />
      <span
        className={
          { warn: 'text-warn', bad: 'text-bad', accent: 'text-warn', ok: '', neutral: 'text-ink-2' }[tone]
        }
      >
        {words}
      </span>
    </span>
  )
}

const Tokens = ({ call }: { call: Call }) =>
  call.kind === 'tool' ? (
    <Unknown />
  ) : (
    <span
      title={`${formatInteger(call.inputTokens)} in${call.cachedTokens > 0 ? `, ${formatInteger(call.cachedTokens)} of it from a cache` : ''}; ${formatInteger(call.outputTokens)} out`}
    >
      {formatInteger(call.inputTokens + call.outputTokens)}
    </span>
  )
