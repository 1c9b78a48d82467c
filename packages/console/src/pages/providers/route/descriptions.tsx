import { Status, type Tone } from '../../../components'
import { formatExactDuration, plural } from '../../../format'
import type { Route } from '../use-providers'

export type Target = Route['targets'][number]

export const strategies: Record<Route['strategy'], { short: string; long: string }> = {
  priority: {
    short: 'Priority',
    long: 'The first available target; the others are fallbacks, in this order',
  },
  weighted: { short: 'Weighted', long: 'At random, in proportion to the weights' },
  fastest: { short: 'Fastest', long: 'The target with the lowest recent time to first byte' },
}

export const stickyDescriptions: Record<Route['stickyBy'], string> = {
  none: 'Each call chooses a target',
  session: 'Calls of a session stay with one target while it is available',
  user: 'Calls of a user stay with one target while it is available',
}

export const failureNames = {
  connect: 'Connection error',
  timeout: 'Timeout',
  '429': '429 (rate limited)',
  '5xx': '5xx (server error)',
} as const satisfies Record<Route['retry']['on'][number], string>

const retryCauses: Record<Route['retry']['on'][number], string> = {
  connect: 'connection errors',
  timeout: 'timeouts',
  '429': '429',
  '5xx': '5xx',
}

export function describeRetries({ retry: { attempts, on } }: Pick<Route, 'retry'>): {
  short: string
  long: string
} {
  if (attempts === 0 || on.length === 0)
    return { short: 'No retries', long: 'Failures are returned to the caller without a retry' }
  return {
    short: plural(attempts, 'retry', 'retries'),
    long: `Up to ${plural(attempts, 'retry', 'retries')} on ${joinWithOr(on.map((each) => retryCauses[each]))}`,
  }
}

/** Joins names: a, b or c. */
const joinWithOr = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`

export const describeCache = ({ cache }: Route) =>
  cache === null
    ? null
    : `TTL ${formatExactDuration(cache.ttlSeconds * 1_000)}, shared within the ${cache.scope}`

/** The availability of a route. */
export function stateOf({ enabled, targets }: Route): { tone: Tone; label: string } {
  if (!enabled) return { tone: 'neutral', label: 'disabled' }
  const missing = targets.filter(({ state }) => state === 'missing').length
  const resting = targets.filter(({ state }) => state === 'cooldown').length
  if (missing + resting === 0) return { tone: 'ok', label: 'all targets ok' }
  const label = [
    ...(resting > 0 ? [`${plural(resting, 'target')} in cooldown`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ].join(', ')
  return { tone: missing + resting === targets.length ? 'bad' : 'warn', label }
}

export function RouteState({ route }: { route: Route }) {
  const { tone, label } = stateOf(route)
  return <Status tone={tone}>{label}</Status>
}
