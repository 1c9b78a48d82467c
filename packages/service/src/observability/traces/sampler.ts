import type { TraceContext } from './context.js'

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const
export type SamplerName = (typeof samplers)[number]

const sampledFlag = 1
const randomDigits = 14
const space = 2 ** 56

/** Decides whether a trace is sampled. Only its id counts, so that all services decide the same. */
export function createSampler(
  name: SamplerName,
  ratio: number,
): (traceId: string, parent: TraceContext | null) => boolean {
  const root = createRootSampler(name.replace('parentbased_', ''), ratio)
  if (!name.startsWith('parentbased_')) return root
  return (traceId, parent) => (parent === null ? root(traceId) : (parent.flags & sampledFlag) === sampledFlag)
}

function createRootSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === 'always_on' || (name === 'traceidratio' && ratio >= 1)) return () => true
  if (name === 'always_off' || ratio <= 0) return () => false
  // The last seven bytes of a trace id are random. A trace is kept if they are at least the threshold.
  const threshold = (1 - ratio) * space
  return (traceId) => Number.parseInt(traceId.slice(-randomDigits), 16) >= threshold
}
