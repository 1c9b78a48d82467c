import { type Static, Type } from 'typebox'
import { DateTime, Nullable } from '../../http/index.js'

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const Attention = Type.Object(
  {
    items: Count('The number of items listed below. 0 if nothing needs attention'),
    record: Nullable(
      Type.Object({ message: Type.String({ description: 'What happened, and what an operator has to do' }) }),
      'Why the record is not signed: the database was restored to an earlier moment, or lost its last commits. Calls get 503. Null if it is signed',
    ),
    budgetRequests: Type.Object({
      pending: Count('The number of requests that wait for a manager'),
      oldestAt: Nullable(DateTime, 'When the oldest of these requests was created. Null if there are none'),
    }),
    limits: Type.Array(
      Type.Object({
        type: Type.Enum(['budget', 'pool', 'cap'], {
          description: 'The kind of limit: a budget, the pool of a team, or the cap of a user',
        }),
        id: Type.String({ description: 'The id of the budget, the team or the user' }),
        title: Type.String({ examples: ['Budget "research"'] }),
        state: Type.Enum(['near', 'exhausted'], {
          description: '`near` means that spend has reached the threshold',
        }),
        spentUsd: Type.Number(),
        limitUsd: Type.Number({ description: 'The limit in USD, including amounts granted for this period' }),
        thresholdPct: Type.Integer(),
      }),
      {
        description:
          'At most 50 limits that have reached their threshold in the current period, most used first. Budgets for each session or tag are not included',
      },
    ),
    providers: Type.Array(
      Type.Object({
        provider: Type.String(),
        calls: Count('The number of calls to the provider'),
        failed: Count(
          'The number of calls that failed at the provider: without an answer, or with 5xx, 429 or 408',
        ),
        lastFailedAt: Nullable(DateTime, 'When the last failed call was admitted'),
      }),
      {
        description:
          'Providers at which at least three calls, and at least half of all calls, failed in the last 15 minutes',
      },
    ),
    credentials: Type.Array(
      Type.Object({
        providerId: Type.String(),
        providerName: Type.String(),
        credentialId: Type.String(),
        state: Type.Enum(['refused', 'undecryptable'], {
          description:
            '`undecryptable` means that the service does not have the master key that the credential is encrypted with',
        }),
        message: Type.String({ examples: ['openai answered 401: it refuses this credential'] }),
        at: Nullable(DateTime, 'When the credential was refused. Null if it cannot be decrypted'),
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
        new: Count('The number of tools that were never approved'),
        changed: Count('The number of tools that have changed since they were approved'),
        oldestAt: Nullable(DateTime, 'When the first of these definitions was seen'),
      }),
      { description: 'MCP servers with tools that wait for a manager, except those with `pinning: off`' },
    ),
    webhooks: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        enabled: Type.Boolean(),
        dead: Count('The number of deliveries of the last seven days that were abandoned'),
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
        record: null,
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
