import { useQuery } from '@tanstack/react-query'
import ChevronDown from 'lucide-react/icons/chevron-down'
import ChevronUp from 'lucide-react/icons/chevron-up'
import { useEffect, useRef } from 'react'
import { ApiError, apiQuery } from '../../../api'
import {
  ErrorState,
  IconButton,
  Id,
  nameOfOutcome,
  SidePanel,
  Skeleton,
  Status,
  toneOfOutcome,
} from '../../../components'
import { ReceiptProof } from '../../../components/receipt-proof'
import { Attempts } from './attempts'
import type { CallDetail } from './call-detail'
import { CallSummary } from './call-summary'
import { Checks } from './checks'
import { Content } from './content'
import { Cost } from './cost'
import { Details } from './details'
import { explainOutcome } from './explain-outcome'
import { RawReceipt } from './raw-receipt'
import { Timeline } from './timeline'

export interface CallPanelProps {
  requestId: string
  onClose(): void
  onStep(by: 1 | -1): void
}

/** The side panel of a call: outcome, timing, cost, checks and receipt. */
export function CallPanel({ requestId, onClose, onStep }: CallPanelProps) {
  const {
    data: call,
    error,
    refetch,
  } = useQuery({
    ...apiQuery('/v1/calls/{requestId}', { params: { path: { requestId }, query: { content: false } } }),
    // Only a correction changes a call.
    staleTime: 60_000,
  })
  useStepKeys(onStep)
  return (
    <SidePanel
      open
      leavesFocus
      onClose={onClose}
      label={`Call ${requestId}`}
      title={
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="mono min-w-0 !text-base break-all">
            {call ? (
              (call.tool ?? call.model ?? call.askedModel ?? 'Call')
            ) : error ? (
              'Call'
            ) : (
              <Skeleton className="h-6 w-40" />
            )}
          </span>
          {call && (
            <span className="text-sm font-medium">
              <Status tone={call.toolError ? 'warn' : toneOfOutcome(call.outcome)}>
                {call.toolError && call.outcome === 'ok' ? 'tool failed' : nameOfOutcome(call.outcome)}
              </Status>
            </span>
          )}
          <span className="ml-auto flex items-center gap-1 text-xs font-normal">
            <Id id={requestId} />
            <IconButton label="Newer call (↑)" onClick={() => onStep(-1)}>
              <ChevronUp size={15} aria-hidden />
            </IconButton>
            <IconButton label="Older call (↓)" onClick={() => onStep(1)}>
              <ChevronDown size={15} aria-hidden />
            </IconButton>
          </span>
        </div>
      }
    >
      {call ? (
        <CallExplanation key={call.requestId} call={call} />
      ) : error ? (
        <CallUnavailable error={error} retry={() => void refetch()} requestId={requestId} />
      ) : (
        <CallSkeleton />
      )}
    </SidePanel>
  )
}

function CallExplanation({ call }: { call: CallDetail }) {
  const why = explainOutcome(call)
  return (
    <div className="flex flex-col gap-7">
      <div className="flex flex-col gap-4">
        <CallSummary call={call} />
        {why && (
          <div className={`border-l-2 pl-3 text-sm ${why.tone === 'bad' ? 'border-bad' : 'border-warn'}`}>
            <p className="m-0 font-medium">{why.message}</p>
            {why.nextStep && <p className="m-0 mt-0.5 text-ink-2">{why.nextStep}</p>}
          </div>
        )}
        <ReceiptProof call={call} />
      </div>
      <Attempts call={call} />
      <Timeline call={call} />
      <Cost call={call} />
      <Checks call={call} />
      <Details call={call} />
      <Content call={call} />
      <RawReceipt call={call} />
    </div>
  )
}

/** Opens the next call by arrow keys, j and k, unless the focus is in a field. */
function useStepKeys(onStep: (by: 1 | -1) => void): void {
  const latest = useRef(onStep)
  latest.current = onStep
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
      if (by === undefined || event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      const { target } = event
      if (
        target instanceof HTMLElement &&
        target.closest('input, textarea, select, [role=slider], [role=menu], [role=listbox], pre')
      )
        return
      event.preventDefault()
      latest.current(by === 1 ? 1 : -1)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

function CallUnavailable({ error, retry, requestId }: { error: unknown; retry(): void; requestId: string }) {
  if (!(error instanceof ApiError) || error.status !== 404) return <ErrorState error={error} retry={retry} />
  return (
    <div className="text-sm">
      <p className="m-0 font-medium">Call not found, or you may not see it.</p>
      <p className="m-0 mt-1 text-ink-2">
        <code>{requestId}</code> may belong to another tenant or person, may have been rejected by a rate
        limit (which leaves no receipt), or is past its retention.
      </p>
    </div>
  )
}

const CallSkeleton = () => (
  <div className="flex flex-col gap-4" aria-busy>
    <Skeleton className="h-4 w-3/4" />
    <Skeleton className="h-20" />
    <Skeleton className="h-36" />
    <Skeleton className="h-28" />
    <Skeleton className="h-28" />
  </div>
)
