import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Time } from '../../../components'
import { formatMoment } from '../../../format'
import { useTimeZone } from '../../../time/use-span'
import { type CallsSearch, isCallKind } from '../search'
import type { CallDetail } from './call-detail'

/** Describes a call in a sentence whose names link to related calls. */
export function CallSummary({ call }: { call: CallDetail }) {
  const timeZone = useTimeZone()
  const person = call.userName ?? call.userId
  return (
    <p className="m-0 text-sm text-ink-2">
      {person !== null && call.userId !== null ? (
        <SameCallsLink search={{ userId: call.userId }}>{person}</SameCallsLink>
      ) : (
        'Someone'
      )}
      {call.keyId !== null && (
        <>
          {' with the key '}
          <SameCallsLink search={{ keyId: call.keyId }}>{call.keyName ?? call.keyId}</SameCallsLink>
        </>
      )}
      {call.teamId !== null && (
        <>
          {' of team '}
          <SameCallsLink search={{ teamId: call.teamId }}>{call.teamName ?? call.teamId}</SameCallsLink>
        </>
      )}
      {call.agent !== null && (
        <>
          {' through '}
          <SameCallsLink search={{ agent: call.agent }}>{call.agent}</SameCallsLink>
        </>
      )}
      {call.kind === 'tool' ? <ToolCall call={call} /> : <ModelCall call={call} />}
      {call.stream ? ', streamed, ' : ' '}
      <Time at={call.ts} /> <span className="text-ink-3">({formatMoment(new Date(call.ts), timeZone)})</span>
      {call.session !== null && (
        <>
          {', in session '}
          <SameCallsLink search={{ session: call.session }}>{call.session}</SameCallsLink>
        </>
      )}
      {call.batch !== null && (
        <>
          {', in batch '}
          <SameCallsLink search={{ batch: call.batch }}>{call.batch}</SameCallsLink>
        </>
      )}
      .
    </p>
  )
}

function ModelCall({ call }: { call: CallDetail }) {
  const requested = call.route ?? (call.askedModel !== call.model ? call.askedModel : null)
  return (
    <>
      {' called '}
      {requested !== null && (
        <>
          {call.route === null ? (
            <code>{requested}</code>
          ) : (
            <SameCallsLink search={{ route: call.route }}>{call.route}</SameCallsLink>
          )}
          {call.provider !== null && (call.route === null ? ' of ' : ', routed to ')}
        </>
      )}
      {call.provider !== null && (
        <SameCallsLink search={{ provider: call.provider }}>{call.provider}</SameCallsLink>
      )}
    </>
  )
}

const actions: Record<string, string> = {
  'tools/call': ' called the tool ',
  'resources/read': ' read the resource ',
  'prompts/get': ' got the prompt ',
  'completion/complete': ' completed an argument of ',
}

const ToolCall = ({ call: { method, server, tool } }: { call: CallDetail }) => (
  <>
    {actions[method ?? ''] ?? ' called '}
    {tool !== null && (
      <SameCallsLink search={{ tool, ...(server !== null && { server }) }}>{tool}</SameCallsLink>
    )}
    {server !== null && (
      <>
        {' of '}
        <SameCallsLink search={{ server }}>{server}</SameCallsLink>
      </>
    )}
  </>
)

/** Links to the calls with the same value and keeps the call open. */
export const SameCallsLink = ({ search, children }: { search: CallsSearch; children: ReactNode }) => (
  <Link
    to="/calls"
    search={({ kind, ...before }) => ({ ...before, ...(isCallKind(kind) && { kind }), ...search })}
    resetScroll={false}
    className="font-medium text-ink no-underline decoration-rule-2 underline-offset-3 hover:underline"
    title="Show calls with the same value"
  >
    {children}
  </Link>
)
