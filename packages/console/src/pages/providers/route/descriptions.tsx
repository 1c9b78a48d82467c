import { Status, type Tone } from '../../../components'
import { formatSetTime, plural } from '../../../format'
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
    long: `Up to ${plural(attempts, 'retry', 'retries')} on ${listed(on.map((each) => retryCauses[each]))}`,
  }
}

/** Joins names: a, b or c. */
const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

export const describeCache = ({ cache }: Route) =>
  cache === null ? null : `TTL ${formatSetTime(cache.ttlSeconds * 1_000)}, shared within the ${cache.scope}`

/** The availability of a route. */
export function stateOf({ enabled, targets }: Route): { tone: Tone; words: string } {
  if (!enabled) return { tone: 'neutral', words: 'disabled' }
  const missing = targets.filter(({ state }) => state === 'missing').length
  const resting = targets.filter(({ state }) => state === 'cooldown').length
  if (missing + resting === 0) return { tone: 'ok', words: 'all targets ok' }
  const words = [
    ...(resting > 0 ? [`${plural(resting, 'target')} in cooldown`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ].join(', ')
  return { tone: missing + resting === targets.length ? 'bad' : 'warn', words }
}

export function RouteState({ route }: { route: Route }) {
  const { tone, words } = stateOf(route)
  return <Status tone={tone}>{words}</Status>
}
