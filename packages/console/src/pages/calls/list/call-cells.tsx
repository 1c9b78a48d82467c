import Wrench from 'lucide-react/icons/wrench'
import { Dot, nameOfOutcome, toneOfOutcome, Unknown } from '../../../components'
import { formatInteger, formatRelative } from '../../../format'
import { formatLocal } from './clock'
import type { Call } from './read-page'

/** The local time, with the day unless it is today; relative on hover. */
export function LocalMoment({ at, timeZone, today }: { at: string; timeZone: string; today: string }) {
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

export function CallerCell({ call }: { call: Call }) {
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

export const Model = ({ call }: { call: Call }) => (
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
  const requested = route ?? askedModel?.split('/').at(-1)
  if (model === null) return askedModel ?? <Unknown />
  if (requested === undefined || requested === model || model.endsWith(`/${requested}`)) return model
  return (
    <>
      <span className="text-ink-3">{requested} → </span>
      {model}
    </>
  )
}

/** Successful calls are shown without emphasis. */
export function Outcome({ call: { outcome, status, cache, toolError, rpcCode } }: { call: Call }) {
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

export const Tokens = ({ call }: { call: Call }) =>
  call.kind === 'tool' ? (
    <Unknown />
  ) : (
    <span
      title={`${formatInteger(call.inputTokens)} in${call.cachedTokens > 0 ? `, ${formatInteger(call.cachedTokens)} of them from a cache` : ''}; ${formatInteger(call.outputTokens)} out`}
    >
      {formatInteger(call.inputTokens + call.outputTokens)}
    </span>
  )
