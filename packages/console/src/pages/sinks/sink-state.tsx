import { Status, Time, Unknown } from '../../components'
import { formatDuration, formatInteger } from '../../format'
import type { Sink } from './use-sinks'

// As long as the alert waits.
const lateAfterSeconds = 900

export function stateOf({ enabled, secretStatus, intervalSeconds, state }: Sink): string {
  if (!enabled) return 'disabled'
  if (secretStatus === 'undecryptable') return 'secrets unavailable'
  if (state.lastError !== null) return 'failing'
  return (state.lagSeconds ?? 0) > intervalSeconds + lateAfterSeconds ? 'behind' : 'working'
}

const tones = {
  disabled: 'neutral',
  'secrets unavailable': 'bad',
  failing: 'bad',
  behind: 'warn',
  working: 'ok',
} as const

export function State({ sink }: { sink: Sink }) {
  const state = stateOf(sink)
  return <Status tone={tones[state as keyof typeof tones]}>{state}</Status>
}

/** The number of a receipt, or the time of an entry of the audit log. */
export function Position({ sink: { state } }: { sink: Sink }) {
  const { position } = state
  if (position === null) return <span className="text-ink-3">nothing yet</span>
  const number = Number(position)
  if (!Number.isNaN(number)) return <span className="num">{formatInteger(number)}</span>
  const [at = ''] = position.split(' ')
  return Number.isNaN(Date.parse(at)) ? <code>{position}</code> : <Time at={at} />
}

export function Lag({ sink: { state } }: { sink: Sink }) {
  if (state.lagSeconds === null) return <Unknown />
  if (state.lagSeconds === 0) return <span className="text-ink-3">none</span>
  return <span className="num">{formatDuration(state.lagSeconds * 1_000)}</span>
}
