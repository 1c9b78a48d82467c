import { formatSetTime, plural } from '../../../format'
import { Status, type Tone } from '../../../parts'
import type { Route } from '../use-providers'

export type Target = Route['targets'][number]

export const strategyWords: Record<Route['strategy'], { short: string; long: string }> = {
  priority: { short: 'in order', long: 'The first that can be called; the others stand by, in this order' },
  weighted: { short: 'by weight', long: 'By chance, in proportion to the weights' },
  fastest: { short: 'the fastest', long: 'The one that began to answer soonest of late' },
}

export const stickyWords: Record<Route['stickyBy'], string> = {
  none: 'Each call chooses anew',
  session: 'The calls of a session stay with one target while it answers',
  user: 'The calls of a person stay with one target while it answers',
}

export const failureWords = {
  connect: 'cannot be reached',
  timeout: 'does not answer in time',
  '429': 'answers 429',
  '5xx': 'answers 5xx',
} as const satisfies Record<Route['retry']['on'][number], string>

export function retryWords({ retry: { attempts, on } }: Pick<Route, 'retry'>): {
  short: string
  long: string
} {
  if (attempts === 0 || on.length === 0)
    return { short: 'no other attempt', long: 'A failure goes to the caller: there is no other attempt' }
  return {
    short: `${attempts} more`,
    long: `Up to ${plural(attempts, 'more attempt')} when a target ${listed(on.map((each) => failureWords[each]))}`,
  }
}

/** a, b or c */
const listed = (words: readonly string[]) =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

export const cacheWords = ({ cache }: Route) =>
  cache === null
    ? null
    : `For ${formatSetTime(cache.ttlSeconds * 1_000)}, to the same ${cache.scope === 'tenant' ? 'tenant' : cache.scope}`

/** Whether its targets can be called, in a word. */
export function stateOf({ enabled, targets }: Route): { tone: Tone; words: string } {
  if (!enabled) return { tone: 'neutral', words: 'disabled' }
  const missing = targets.filter(({ state }) => state === 'missing').length
  const resting = targets.filter(({ state }) => state === 'cooldown').length
  if (missing + resting === 0) return { tone: 'ok', words: 'all targets ok' }
  const words = [
    ...(resting > 0 ? [resting === 1 ? '1 target rests' : `${resting} targets rest`] : []),
    ...(missing > 0 ? [`${missing} missing`] : []),
  ].join(', ')
  return { tone: missing + resting === targets.length ? 'bad' : 'warn', words }
}

export function RouteState({ route }: { route: Route }) {
  const { tone, words } = stateOf(route)
  return <Status tone={tone}>{words}</Status>
}
