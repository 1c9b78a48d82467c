import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const WindowStanding = Type.Object(
  {
    limit: Type.Integer({ description: 'The maximum in any rolling minute' }),
    used: Type.Integer({ minimum: 0, description: 'The amount used in the last minute, at most the limit' }),
    remaining: Type.Integer({ minimum: 0 }),
    resetMs: Type.Integer({
      minimum: 0,
      description: 'Milliseconds until the whole limit is available again, if no other call is admitted',
    }),
  },
  { title: 'WindowStanding' },
)

const MoneyStanding = Type.Object(
  {
    type: Type.Enum(['budget', 'pool', 'cap'], {
      description: 'The kind of limit: a blocking budget, the pool of a team, or the cap of a user',
    }),
    id: Type.String({ description: 'The id of the budget, the team or the user' }),
    name: Type.String(),
    scope: Type.Object({ type: Type.String(), id: Type.String() }),
    limitUsd: Type.Number({ description: 'The limit in USD, including amounts granted for this period' }),
    spentUsd: Type.Number(),
    reservedUsd: Type.Number({ description: 'The amount in USD that is reserved by calls in progress' }),
    remainingUsd: Type.Number({ minimum: 0 }),
    resetsAt: Nullable(DateTime, 'When the next period begins. Null if there is no next period'),
  },
  { title: 'MoneyStanding' },
)

export const KeyStanding = Type.Object(
  {
    keyId: Type.String(),
    at: DateTime,
    usable: Type.Boolean({
      description:
        'True if the key is active and its owner is not suspended. Limits are reported in either case',
    }),
    requests: Nullable(WindowStanding, 'Null if the key has no such limit'),
    tokens: Nullable(WindowStanding, 'Null if the key has no such limit'),
    money: Type.Array(MoneyStanding, {
      description:
        'Every spending limit that applies to the calls of this key, least remaining first. Further limits can apply to calls with their own tags or session',
    }),
  },
  {
    title: 'KeyStanding',
    examples: [
      {
        keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        at: '2026-11-15T09:30:00.000Z',
        usable: true,
        requests: { limit: 60, used: 12, remaining: 48, resetMs: 41_200 },
        tokens: null,
        money: [
          {
            type: 'budget' as const,
            id: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
            name: 'research',
            scope: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
            limitUsd: 250,
            spentUsd: 201.4,
            reservedUsd: 0.12,
            remainingUsd: 48.48,
            resetsAt: '2026-12-01T00:00:00.000Z',
          },
        ],
      },
    ],
  },
)
export type KeyStanding = Static<typeof KeyStanding>
