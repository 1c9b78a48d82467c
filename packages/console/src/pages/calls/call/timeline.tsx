import { cx, errorOutcomes, nameOfOutcome } from '../../../components'
import { formatDuration } from '../../../format'
import type { CallDetail } from './call-detail'
import { Part } from './part'

interface Bar {
  name: string
  title: string
  startMs: number
  durationMs: number
  tone: 'plain' | 'provider' | 'answer' | 'bad'
}

/** The stages of the last attempt on a time axis. */
export function Timeline({ call }: { call: CallDetail }) {
  const bars = call.stages ? stageBars(call, call.stages) : recordedBars(call)
  const end = Math.max(...bars.map(({ startMs, durationMs }) => startMs + durationMs), call.latencyMs ?? 0)
  if (bars.length === 0 || end <= 0)
    return (
      <Part title="Timing">
        <p className="m-0 text-sm text-ink-2">
          {call.latencyMs === null
            ? 'Unknown: the process that made the call crashed before the call ended.'
            : 'Less than a millisecond.'}
        </p>
      </Part>
    )
  return (
    <Part
      title={`Timing: ${formatDuration(end)}${call.attempts.length > 1 ? ' in the last attempt' : ''}`}
      aside={
        call.firstTokenMs !== null &&
        call.outputTokens > 0 &&
        call.latencyMs !== null &&
        call.latencyMs > call.firstTokenMs + 20
          ? `${Math.round((call.outputTokens / (call.latencyMs - call.firstTokenMs)) * 1_000)} tokens per second`
          : null
      }
    >
      <ol className="m-0 flex list-none flex-col p-0">
        {bars.map((bar) => (
          <li
            key={bar.name}
            title={bar.title}
            className="grid h-6 grid-cols-[104px_minmax(0,1fr)_64px] items-center gap-3 text-xs"
          >
            <span className="truncate text-ink-2">{bar.name}</span>
            <span className="relative h-full border-l border-rule">
              <span
                className={cx(
                  'absolute top-1/2 h-2.5 min-w-0.5 -translate-y-1/2 rounded-[2px]',
                  fills[bar.tone],
                )}
                style={{ left: `${(bar.startMs / end) * 100}%`, width: `${(bar.durationMs / end) * 100}%` }}
              />
            </span>
            <span className="num text-right text-ink-3">{formatDuration(bar.durationMs)}</span>
          </li>
        ))}
      </ol>
      {call.stages === null && (
        <p className="m-0 mt-1 text-xs text-ink-3">
          Detailed stages are kept for a short time after a call, and are no longer available for this one.
        </p>
      )}
    </Part>
  )
}

const fills: Record<Bar['tone'], string> = {
  plain: 'bg-ink-3',
  provider: 'bg-accent',
  answer: 'bg-accent/45',
  bad: 'bg-bad',
}

type Stages = NonNullable<CallDetail['stages']>

const stageNames: Record<Stages[number]['name'], readonly [name: string, title: string]> = {
  read: ['received', 'Authenticates the key and reads the body'],
  receive: ['read', 'Parses the request'],
  plan: ['planned', 'Resolves model, prompt and provider'],
  reserve: ['reserved', 'Computes the maximum cost'],
  admit: ['admitted', 'Rate limits and budgets'],
  guard: ['checked', 'Policies on the request'],
  forward: ['waited', 'Until the first byte from the provider'],
  answer: ['answered', 'Until the last byte; for a stream including delivery to the caller'],
  judge: ['checked again', 'Policies on the response'],
  settle: ['recorded', 'Writes and seals the receipt'],
}

function stageBars(call: CallDetail, stages: Stages): Bar[] {
  const isFailed = call.outcome === 'upstream_error'
  return stages.map(({ name, startMs, durationMs }) => {
    const [words, title] = stageNames[name]
    const isUpstream = name === 'forward' || name === 'answer'
    return {
      name: name === 'forward' && call.provider ? call.provider : words,
      title,
      startMs,
      durationMs,
      tone:
        isUpstream && isFailed
          ? 'bad'
          : name === 'forward'
            ? 'provider'
            : name === 'answer'
              ? 'answer'
              : 'plain',
    }
  })
}

/** The stages that the record contains: waiting for the response, and the response. */
function recordedBars({ attempts, firstTokenMs, latencyMs }: CallDetail): Bar[] {
  const attempt = attempts.at(-1)
  if (!attempt || attempt.latencyMs === null) return []
  const { provider, status, outcome } = attempt
  const isFailed = errorOutcomes.some((each) => each === outcome)
  const isBlocked = outcome === 'blocked'
  const responseBar: Bar = {
    name: isBlocked ? 'blocked' : `${provider ?? 'provider'}${isFailed && status ? `, ${status}` : ''}`,
    title: nameOfOutcome(outcome),
    startMs: 0,
    durationMs: attempt.latencyMs,
    tone: isFailed ? 'bad' : isBlocked ? 'plain' : 'provider',
  }
  if (firstTokenMs === null || latencyMs === null || firstTokenMs >= latencyMs) return [responseBar]
  return [
    responseBar,
    {
      name: 'answered',
      title: 'From the first token to the last',
      startMs: firstTokenMs,
      durationMs: latencyMs - firstTokenMs,
      tone: 'answer',
    },
  ]
}
