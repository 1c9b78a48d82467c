import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict, withDefault } from '../../http/index.js'
import { handlePattern } from '../../shared/hidden-characters.js'

const Name = Type.String({
  pattern: handlePattern,
  'x-expects': '1 to 200 characters without blanks, `*`, control characters or invisible characters',
  description:
    'The name that callers send as `model`. A route takes precedence over a model with the same name',
  examples: ['smart'],
})
const Strategy = Type.Enum(['priority', 'weighted', 'fastest'], {
  description:
    'How a target is chosen. `priority` tries the targets in the order of the list. `weighted` chooses at random, in proportion to the weights. `fastest` prefers the target with the shortest recent time to the first byte',
})
const target = {
  model: Type.String({
    pattern: '^\\S{1,200}$',
    description: 'A model from `GET /v1/catalogue`. A route is not allowed',
  }),
  weight: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'For `weighted`: the share of calls, relative to the other targets',
  }),
  dialect: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Use the target only for calls to this endpoint, such as `chat` or `messages`. Without it, the target serves every endpoint that its provider supports',
  }),
}
const NewTarget = Type.Object(
  { model: target.model, weight: withDefault(target.weight, 1), dialect: Type.Optional(target.dialect) },
  { ...strict, title: 'NewRouteTarget' },
)
const NewTargets = Type.Array(NewTarget, { minItems: 1, maxItems: 20 })
const Target = Type.Object(
  {
    ...target,
    dialect: Type.Optional(target.dialect),
    state: Type.Enum(['ok', 'cooldown', 'missing'], {
      description:
        '`cooldown` means that the target failed often and is not used for a while. `missing` means that the model no longer exists and the target is skipped',
    }),
    until: Nullable(DateTime, 'When the cooldown ends. Null without a cooldown'),
    lastError: Nullable(
      Type.String(),
      'Why the target last failed, as seen by this replica. Null if it did not fail',
    ),
  },
  { title: 'RouteTarget' },
)
const Retry = Type.Object(
  {
    attempts: Type.Integer({
      minimum: 0,
      maximum: 5,
      description: 'The number of further attempts after the first',
    }),
    on: Type.Array(Type.Enum(['connect', 'timeout', '429', '5xx']), {
      uniqueItems: true,
      maxItems: 4,
      description: 'The failures after which another attempt is made',
    }),
  },
  strict,
)
const TimeoutMs = Nullable(
  Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  'The timeout of all attempts together, in milliseconds. Null means that only the timeouts of the providers apply',
)
const StickyBy = Type.Enum(['none', 'session', 'user'], {
  description: 'Whose calls stay with the same target while it is available',
})
const Cache = Nullable(
  Type.Object(
    {
      ttlSeconds: Type.Integer({ minimum: 1, maximum: 2_592_000 }),
      scope: Type.Enum(['key', 'team', 'tenant'], { description: 'Who can get a cached answer' }),
    },
    strict,
  ),
  'The response cache: how long, and for whom, the same request returns the same answer. Null turns the cache off',
)
const Enabled = Type.Boolean({ description: 'While false, calls to the route are refused' })

const example = {
  name: 'smart',
  strategy: 'priority' as const,
  targets: [
    { model: 'mock/slow', weight: 1 },
    { model: 'mock/echo', weight: 1 },
  ],
  retry: { attempts: 2, on: ['connect' as const, 'timeout' as const, '429' as const, '5xx' as const] },
  timeoutMs: 120_000,
  stickyBy: 'session' as const,
  cache: null,
  enabled: true,
}
export const defaultRetry: Static<typeof Retry> = { attempts: 2, on: ['connect', 'timeout', '429', '5xx'] }

export const Route = Type.Object(
  {
    id: Type.String({ examples: ['route_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    name: Name,
    strategy: Strategy,
    targets: Type.Array(Target),
    retry: Retry,
    timeoutMs: TimeoutMs,
    stickyBy: StickyBy,
    cache: Cache,
    enabled: Enabled,
    createdAt: DateTime,
    updatedAt: DateTime,
  },
  {
    title: 'Route',
    examples: [
      {
        id: 'route_01k9zq3w8hcv7m2x4n6p8r0t1y',
        ...example,
        targets: example.targets.map((each) => ({
          ...each,
          state: 'ok' as const,
          until: null,
          lastError: null,
        })),
        createdAt: '2026-11-15T09:30:00.000Z',
        updatedAt: '2026-11-15T09:30:00.000Z',
      },
    ],
  },
)
export type Route = Static<typeof Route>

export const CreateRoute = Type.Object(
  {
    name: Name,
    strategy: withDefault(Strategy, 'priority'),
    targets: NewTargets,
    retry: withDefault(Retry, defaultRetry),
    timeoutMs: withDefault(TimeoutMs, null),
    stickyBy: withDefault(StickyBy, 'none'),
    cache: withDefault(Cache, null),
    enabled: withDefault(Enabled, true),
  },
  { ...strict, title: 'CreateRoute', examples: [example] },
)
export type CreateRoute = Static<typeof CreateRoute>

export const UpdateRoute = Type.Partial(
  Type.Object({
    name: Name,
    strategy: Strategy,
    targets: NewTargets,
    retry: Retry,
    timeoutMs: TimeoutMs,
    stickyBy: StickyBy,
    cache: Cache,
    enabled: Enabled,
  }),
  { ...strict, minProperties: 1, title: 'UpdateRoute', examples: [{ strategy: 'fastest' }] },
)
export type UpdateRoute = Static<typeof UpdateRoute>
