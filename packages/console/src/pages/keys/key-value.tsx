import { Link } from '@tanstack/react-router'
import {
  CallSnippets,
  CopyButton,
  Count,
  Dot,
  Money,
  nameOfOutcome,
  Time,
  toneOfOutcome,
} from '../../components'
import type { Call } from './use-latest-call'
import { useOwnModels } from './use-own-models'

/** The value of a new key, shown once. */
export function KeyValue({ value }: { value: string }) {
  return (
    <div className="flex items-center gap-2 rounded-md border border-accent bg-accent-soft py-2 pr-2 pl-3">
      <code className="min-w-0 flex-1 !text-sm break-all" data-secret>
        {value}
      </code>
      <CopyButton text={value} />
    </div>
  )
}

/** Snippets with the models that this key may call. */
export function OwnSnippets({ value }: { value: string }) {
  return <CallSnippets value={value} models={useOwnModels(value) ?? []} />
}

/** Waits for the first call with a key and links to it. */
export function FirstCall({ call, waitingFor }: { call: Call | null; waitingFor: string }) {
  return (
    <div role="status" className="flex min-h-8 items-center gap-2.5 text-sm">
      {call === null ? (
        <>
          <span
            aria-hidden
            className="size-2 shrink-0 animate-[breathe_1.6s_ease-in-out_infinite] rounded-full bg-ink-3"
          />
          <span className="text-ink-2">{waitingFor}</span>
        </>
      ) : (
        <>
          <Dot tone={toneOfOutcome(call.outcome)} />
          <span className="min-w-0 truncate">
            <Link to="/calls" search={{ call: call.requestId }} className="link font-medium">
              {nameOfOutcome(call.outcome)}
            </Link>{' '}
            · <code>{call.model}</code> · <Count value={call.inputTokens + call.outputTokens} /> tokens ·{' '}
            <Money usd={call.costUsd} />
          </span>
          <Time at={call.ts} className="ml-auto text-xs text-ink-3" />
        </>
      )}
    </div>
  )
}
