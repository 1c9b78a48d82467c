import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Attention = Type.Object(
  {
    items: Count('How many items are listed below; 0 when nothing needs attention'),
    budgetRequests: Type.Object({
      pending: Count('Requests that wait for a manager'),
      oldestAt: Nullable(DateTime, 'When the oldest of them was created; null without any'),
    }),
    limits: Type.Array(
      Type.Object({
        type: Type.Enum(['budget', 'pool', 'cap'], {
          description: 'A budget, the pool of a team, or the cap of a user',
        }),
        id: Type.String({ description: 'The id of the budget, the team or the user' }),
        title: Type.String({ examples: ['Budget "research"'] }),
        state: Type.Enum(['near', 'exhausted'], { description: '`near`: its threshold is reached' }),
        spentUsd: Type.Number(),
        limitUsd: Type.Number({ description: 'Including what was granted for this period' }),
        thresholdPct: Type.Integer(),
      }),
      {
        description:
          'Limits that have reached their threshold in their current period, the most used first, at most 50. Budgets for each session or tag are not included',
      },
    ),
    providers: Type.Array(
      Type.Object({
        provider: Type.String(),
        calls: Count('Calls to this provider'),
        failed: Count('Calls that failed at the provider: no answer, or 5xx, 429 or 408'),
        lastFailedAt: Nullable(DateTime, 'When the last failed call was admitted'),
      }),
      {
        description:
          'Providers at which at least three calls, and half of all, failed in the last 15 minutes',
      },
    ),
    credentials: Type.Array(
      Type.Object({
        providerId: Type.String(),
        providerName: Type.String(),
        credentialId: Type.String(),
        state: Type.Enum(['refused', 'undecryptable'], {
          description: '`undecryptable`: the service does not have the master key that it is encrypted with',
        }),
        message: Type.String({ examples: ['openai answered 401: it refuses this credential'] }),
        at: Nullable(DateTime, 'When it was refused; null for one that cannot be decrypted'),
      }),
      {
        description:
          'Credentials of providers that are refused, as seen by this replica or reported by another in the last hour, and credentials that cannot be decrypted',
      },
    ),
    tools: Type.Array(
      Type.Object({
        serverId: Type.String(),
        serverName: Type.String(),
        new: Count('Tools that nobody has approved yet'),
        changed: Count('Tools that have changed since they were approved'),
        oldestAt: Nullable(DateTime, 'When the first of these definitions was seen'),
      }),
      { description: 'MCP servers with tools that wait for a manager, except those with `pinning: off`' },
    ),
    webhooks: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        enabled: Type.Boolean(),
        dead: Count('Deliveries of the last seven days that were abandoned'),
        retrying: Count('Deliveries that failed and will be retried'),
        lastError: Nullable(Type.String(), 'The error of the last failed attempt'),
        lastAttemptAt: Nullable(DateTime, 'When that attempt was made'),
      }),
      { description: 'Endpoints with failed deliveries' },
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
