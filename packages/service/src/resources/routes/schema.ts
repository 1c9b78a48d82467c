import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict, withDefault } from '../../http/index.js'
import { handlePattern } from '../../shared/hidden-characters.js'

const Name = Type.String({
  pattern: handlePattern,
  'x-expects': '1 to 200 characters without blanks, `*`, control characters or invisible characters',
  description: 'What callers put into `model`. It wins over a model of the same name',
  examples: ['smart'],
})
const Strategy = Type.Enum(['priority', 'weighted', 'fastest'], {
  description:
    '`priority`: in the order of the list. `weighted`: by chance, in proportion to the weights. `fastest`: the one that began to answer soonest of late',
})
const target = {
  model: Type.String({ pattern: '^\\S{1,200}$', description: 'A model of GET /v1/catalogue, never a route' }),
  weight: Type.Integer({ minimum: 1, maximum: 1_000, description: 'For `weighted`' }),
  dialect: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Only for calls of this endpoint, such as `chat` or `messages`; without it, for every one that its provider answers',
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
        '`cooldown`: it failed often and rests. `missing`: there is no such model any more; it is passed over',
    }),
    until: Nullable(DateTime, 'When its rest ends; null when it does not rest'),
    lastError: Nullable(Type.String(), 'Why it failed last, as this replica saw it; null if it did not'),
  },
  { title: 'RouteTarget' },
)
const Retry = Type.Object(
  {
    attempts: Type.Integer({ minimum: 0, maximum: 5, description: 'Attempts after the first' }),
    on: Type.Array(Type.Enum(['connect', 'timeout', '429', '5xx']), {
      uniqueItems: true,
      maxItems: 4,
      description: 'After which failures another attempt is made',
    }),
  },
  strict,
)
const TimeoutMs = Nullable(
  Type.Integer({ minimum: 100, maximum: 3_600_000 }),
  'For all attempts together; null for no other limit than those of the providers',
)
const StickyBy = Type.Enum(['none', 'session', 'user'], {
  description: 'Whose calls stay with one target as long as it answers',
})
const Cache = Nullable(
  Type.Object(
    {
      ttlSeconds: Type.Integer({ minimum: 1, maximum: 2_592_000 }),
      scope: Type.Enum(['key', 'team', 'tenant'], { description: 'Who is given an answer that is kept' }),
    },
    strict,
  ),
  'For how long the answer to the same request is given again; null: never',
)
const Enabled = Type.Boolean({ description: 'While false, the name leads nowhere' })

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
