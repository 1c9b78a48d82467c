import { useNavigate, useSearch } from '@tanstack/react-router'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import { useCallback, useMemo, useRef, useState } from 'react'
import { DensityStrip } from '../../charts/density/density-strip'
import { useDensity } from '../../charts/density/use-density'
import { Button, cx } from '../../components'
import { useLiveState } from '../../layout/live-updates'
import { isOver, type Span } from '../../time/span'
import { useSpan } from '../../time/use-span'
import { CallPanel } from './call/call-panel'
import { EmptyCalls } from './empty'
import { FilterBar } from './filters/filter-bar'
import type { SetFilter } from './filters/kinds'
import { CallList } from './list/call-list'
import type { Call } from './list/read-page'
import { type CallsSearch, filterQuery } from './search'
import { Summary } from './summary'

/** The calls page: calls over time and as a list. */
export default function CallsPage() {
  const search = useSearch({ from: '/app/calls' })
  const navigate = useNavigate({ from: '/calls' })
  const span = useSpan()
  const { timeZone } = span
  const [isPaused, setPaused] = useState(false)
  const [first, setFirst] = useState<Call | undefined>()
  const filter = useMemo(() => filterQuery(search), [search])
  const filterName = JSON.stringify(filter)
  const density = useDensity(span, filter, narrowScreen.matches ? 80 : 144)

  // A range that ends now keeps its start, so that the list does not change every minute.
  const isLive = span.range !== null && !isOver(span.range)
  const fixedQuery = span.range === null ? `${span.from.getTime()} ${span.to.getTime()}` : span.range
  // biome-ignore lint/correctness/useExhaustiveDependencies: the range is fixed on purpose, see above
  const callsQuery = useMemo(
    () => ({
      ...filter,
      from: span.from.toISOString(),
      ...(!isLive && { to: span.to.toISOString() }),
    }),
    [filterName, fixedQuery, timeZone],
  )

  const change = useCallback(
    (next: CallsSearch & { from?: string; to?: string }) => void navigate({ search: () => next }),
    [navigate],
  )
  const open = useCallback(
    ({ requestId }: Pick<Call, 'requestId'>) =>
      void navigate({
        search: (before) => ({ ...before, call: requestId }),
        replace: search.call !== undefined,
        resetScroll: false,
      }),
    [navigate, search.call],
  )
  const close = useCallback(() => {
    void navigate({ search: (before) => ({ ...before, call: undefined }), replace: true, resetScroll: false })
    document.querySelector<HTMLElement>('[data-calls]')?.focus({ preventScroll: true })
  }, [navigate])
  const brush = (part: Span) =>
    void navigate({
      search: (before) => ({ ...before, from: part.from.toISOString(), to: part.to.toISOString() }),
    })
  const back =
    span.range === null
      ? () => void navigate({ search: (before) => ({ ...before, from: undefined, to: undefined }) })
      : undefined
  const step = useRef<((by: 1 | -1) => void) | null>(null)

  return (
    <div className={cx(search.call !== undefined && 'xl:w-[min(100%,calc(100vw-816px))]')}>
      <div className="mb-3 flex flex-wrap items-start gap-2">
        <FilterBar
          search={search}
          span={span}
          onChange={change}
          nameOf={(each) => nameIn(first, each)}
          tags={Object.entries(first?.tags ?? {}).map(([name, value]) => `${name}=${value}`)}
        />
        {isLive && <LiveButton isPaused={isPaused} onPaused={setPaused} />}
      </div>
      <Summary density={density} span={span} search={search} onChange={change} back={back} />
      <DensityStrip
        buckets={density.buckets}
        timeZone={timeZone}
        onBrush={brush}
        {...(back && { onBack: back })}
        className="mb-3"
      />
      <CallList
        callsQuery={callsQuery}
        isLive={isLive}
        isPaused={isPaused}
        timeZone={timeZone}
        openId={search.call}
        onOpen={open}
        onFirst={setFirst}
        stepRef={step}
        empty={<EmptyCalls search={search} span={span} onChange={change} back={back} />}
      />
      {search.call !== undefined && (
        <CallPanel requestId={search.call} onClose={close} onStep={(by) => step.current?.(by)} />
      )}
    </div>
  )
}

const narrowScreen = matchMedia('(max-width: 640px)')

/** The name of a filtered value, taken from a call that matches the filter. */
function nameIn(call: Call | undefined, { name, value }: SetFilter): string | null | undefined {
  if (!call) return undefined
  if (name === 'keyId' && call.keyId === value) return call.keyName
  if (name === 'userId' && call.userId === value) return call.userName
  if (name === 'teamId' && call.teamId === value) return call.teamName
  if (name === 'policyId') return call.policies.find(({ id }) => id === value)?.name
  return undefined
}

function LiveButton({ isPaused, onPaused }: { isPaused: boolean; onPaused(isPaused: boolean): void }) {
  const state = useLiveState()
  const label = isPaused
    ? 'Paused'
    : state === 'live'
      ? 'Live'
      : state === 'polling'
        ? 'Refreshes every few seconds'
        : 'Connecting'
  return (
    <Button
      onClick={() => onPaused(!isPaused)}
      aria-pressed={isPaused}
      title={isPaused ? 'Show new calls as they arrive' : 'New calls appear at the top. Click to pause'}
      icon={isPaused ? <Play size={13} aria-hidden /> : <Pause size={13} aria-hidden />}
    >
      <span
        aria-hidden
        className={cx('size-1.5 rounded-full', isPaused || state !== 'live' ? 'bg-ink-3' : 'bg-ok')}
      />
      <span className="max-sm:sr-only">{label}</span>
    </Button>
  )
}
