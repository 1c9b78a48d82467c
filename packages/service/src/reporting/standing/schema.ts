import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const WindowStanding = Type.Object(
  {
    limit: Type.Integer({ description: 'In any rolling minute' }),
    used: Type.Integer({ minimum: 0, description: 'In the last minute, up to the limit' }),
    remaining: Type.Integer({ minimum: 0 }),
    resetMs: Type.Integer({
      minimum: 0,
      description: 'Until nothing is counted any more, if nothing else is admitted',
    }),
  },
  { title: 'WindowStanding' },
)

const MoneyStanding = Type.Object(
  {
    type: Type.Enum(['budget', 'pool', 'cap'], {
      description: 'A blocking budget, the pool of a team, or the cap of a user',
    }),
    id: Type.String({ description: 'Of the budget, the team or the user' }),
    name: Type.String(),
    scope: Type.Object({ type: Type.String(), id: Type.String() }),
    limitUsd: Type.Number({ description: 'With what was granted for this period' }),
    spentUsd: Type.Number(),
    reservedUsd: Type.Number({ description: 'Held by calls in progress' }),
    remainingUsd: Type.Number({ minimum: 0 }),
    resetsAt: Nullable(DateTime, 'When the next period begins; null for never'),
  },
  { title: 'MoneyStanding' },
)

export const KeyStanding = Type.Object(
  {
    keyId: Type.String(),
    at: DateTime,
    usable: Type.Boolean({
      description:
        'Whether the key is active and its owner is not suspended. Limits are reported in any case',
    }),
    requests: Nullable(WindowStanding, 'Null without a limit'),
    tokens: Nullable(WindowStanding, 'Null without a limit'),
    money: Type.Array(MoneyStanding, {
      description:
        'Every limit on money that a call of the key has to fit into, the one with the least left first; calls with tags or a session of their own may meet others',
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
