import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Time } from '../../../components'
import { formatMoment } from '../../../format'
import { useTimeZone } from '../../../time/use-span'
import { type CallsSearch, isCallKind } from '../search'
import type { CallDetail } from './call-detail'

/** Describes a call in a sentence whose names link to related calls. */
export function WhoAndWhat({ call }: { call: CallDetail }) {
  const timeZone = useTimeZone()
  const person = call.userName ?? call.userId
  return (
    <p className="m-0 text-sm text-ink-2">
      {person !== null && call.userId !== null ? (
        <Same search={{ userId: call.userId }}>{person}</Same>
      ) : (
        'Somebody'
      )}
      {call.keyId !== null && (
        <>
          {' with the key '}
          <Same search={{ keyId: call.keyId }}>{call.keyName ?? call.keyId}</Same>
        </>
      )}
      {call.teamId !== null && (
        <>
          {' of team '}
          <Same search={{ teamId: call.teamId }}>{call.teamName ?? call.teamId}</Same>
        </>
      )}
      {call.agent !== null && (
        <>
          {' through '}
          <Same search={{ agent: call.agent }}>{call.agent}</Same>
        </>
      )}
      {call.kind === 'tool' ? <CalledTool call={call} /> : <AskedModel call={call} />}
      {call.stream ? ', streamed, ' : ' '}
      <Time at={call.ts} /> <span className="text-ink-3">({formatMoment(new Date(call.ts), timeZone)})</span>
      {call.session !== null && (
        <>
          {', in session '}
          <Same search={{ session: call.session }}>{call.session}</Same>
        </>
      )}
      {call.batch !== null && (
        <>
          {', as a line of '}
          <Same search={{ batch: call.batch }}>{call.batch}</Same>
        </>
      )}
      .
    </p>
  )
}

function AskedModel({ call }: { call: CallDetail }) {
  const asked = call.route ?? (call.askedModel !== call.model ? call.askedModel : null)
  return (
    <>
      {' asked '}
      {asked !== null && (
        <>
          for{' '}
          {call.route === null ? (
            <code>{asked}</code>
          ) : (
            <Same search={{ route: call.route }}>{call.route}</Same>
          )}
          {call.provider !== null && (call.route === null ? ' of ' : ', a route that led to ')}
        </>
      )}
      {call.provider !== null && <Same search={{ provider: call.provider }}>{call.provider}</Same>}
    </>
  )
}

const deeds: Record<string, string> = {
  'tools/call': ' called the tool ',
  'resources/read': ' read the resource ',
  'prompts/get': ' got the prompt ',
  'completion/complete': ' completed an argument of ',
}

const CalledTool = ({ call: { method, server, tool } }: { call: CallDetail }) => (
  <>
    {deeds[method ?? ''] ?? ' called '}
    {tool !== null && <Same search={{ tool, ...(server !== null && { server }) }}>{tool}</Same>}
    {server !== null && (
      <>
        {' of '}
        <Same search={{ server }}>{server}</Same>
      </>
    )}
  </>
)

/** Links to the calls with the same value and keeps the call open. */
export const Same = ({ search, children }: { search: CallsSearch; children: ReactNode }) => (
  <Link
    to="/calls"
    search={({ kind, ...before }) => ({ ...before, ...(isCallKind(kind) && { kind }), ...search })}
    resetScroll={false}
    className="font-medium text-ink no-underline decoration-rule-2 underline-offset-3 hover:underline"
    title="Show calls with the same"
  >
    {children}
  </Link>
)
