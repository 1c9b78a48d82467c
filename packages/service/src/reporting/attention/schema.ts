import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Attention = Type.Object(
  {
    items: Count('How many things are listed below; 0 when nothing is to be done'),
    budgetRequests: Type.Object({
      pending: Count('Requests that wait for a manager'),
      oldestAt: Nullable(DateTime, 'When the oldest of them was filed; null without any'),
    }),
    limits: Type.Array(
      Type.Object({
        type: Type.Enum(['budget', 'pool', 'cap'], {
          description: 'A budget, the pool of a team, or the cap of a user',
        }),
        id: Type.String({ description: 'Of the budget, the team or the user' }),
        title: Type.String({ examples: ['Budget "research"'] }),
        state: Type.Enum(['near', 'exhausted'], { description: '`near`: its threshold is reached' }),
        spentUsd: Type.Number(),
        limitUsd: Type.Number({ description: 'With what was granted for this period' }),
        thresholdPct: Type.Integer(),
      }),
      {
        description:
          'What is spent to its threshold or beyond in its current period, the fullest first, at most 50. Budgets for each session or tag are not among them',
      },
    ),
    providers: Type.Array(
      Type.Object({
        provider: Type.String(),
        calls: Count('Calls that it had'),
        failed: Count('Of them: no answer, or one that is its own fault (5xx, 429, 408)'),
        lastFailedAt: Nullable(DateTime, 'When the last of them was admitted'),
      }),
      { description: 'Where at least three calls, and half of all, failed in the last 15 minutes' },
    ),
    credentials: Type.Array(
      Type.Object({
        providerId: Type.String(),
        providerName: Type.String(),
        credentialId: Type.String(),
        state: Type.Enum(['refused', 'undecryptable'], {
          description: '`undecryptable`: the service does not have the master key that it is sealed under',
        }),
        message: Type.String({ examples: ['openai answered 401: it refuses this credential'] }),
        at: Nullable(DateTime, 'When it was refused; null for one that cannot be decrypted'),
      }),
      {
        description:
          'Credentials of providers that are refused now, as this replica sees it or another told of in the last hour, and those that cannot be decrypted',
      },
    ),
    tools: Type.Array(
      Type.Object({
        serverId: Type.String(),
        serverName: Type.String(),
        new: Count('Tools that nobody approved yet'),
        changed: Count('Tools that are not as they were approved'),
        oldestAt: Nullable(DateTime, 'When the first of these definitions was seen'),
      }),
      { description: 'MCP servers with tools that wait for a manager; not those with `pinning: off`' },
    ),
    webhooks: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        enabled: Type.Boolean(),
        dead: Count('Deliveries of the last seven days that were given up'),
        retrying: Count('Deliveries that failed, and are tried again'),
        lastError: Nullable(Type.String(), 'Of the last attempt that failed'),
        lastAttemptAt: Nullable(DateTime, 'When that was'),
      }),
      { description: 'Endpoints that did not get what they were sent' },
    ),
  },
  {
    title: 'Attention',
    examples: [
      {
        items: 4,
        budgetRequests: { pending: 1, oldestAt: '2026-11-15T09:30:00.000Z' },
        limits: [
          {
            type: 'budget' as const,
            id: 'bud_01k9zq3w8hcv7m2x4n6p8r0t1y',
            title: 'Budget "research"',
            state: 'near' as const,
            spentUsd: 201.4,
            limitUsd: 250,
            thresholdPct: 80,
          },
        ],
        providers: [{ provider: 'openai', calls: 41, failed: 40, lastFailedAt: '2026-11-15T09:30:00.000Z' }],
        credentials: [],
        tools: [
          {
            serverId: 'mcp_01k9zq3w8hcv7m2x4n6p8r0t1y',
            serverName: 'github',
            new: 0,
            changed: 1,
            oldestAt: '2026-11-15T09:30:00.000Z',
          },
        ],
        webhooks: [],
      },
    ],
  },
)
export type Attention = Static<typeof Attention>
