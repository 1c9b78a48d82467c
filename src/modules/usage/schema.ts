import { Type } from 'typebox'
import { strict } from '../../http/index.js'
import { ranges } from './span.js'
import { groupings } from './store.js'

const count = (description: string) => Type.Integer({ minimum: 0, description })
const latency = (description: string) => Type.Number({ minimum: 0, description })

const figures = {
  requests: count('Calls that left a receipt: all but those refused by a rate limit'),
  inputTokens: count('Tokens in'),
  outputTokens: count('Tokens out'),
  totalTokens: count('Tokens in and out'),
  spendUsd: Type.Number({
    minimum: 0,
    description: 'To the nano-dollar, the sum of the cost in the receipts',
  }),
  blocked: count('Of the requests: blocked by a policy, an allowlist, a suspension or a budget'),
  rateLimited: count('Calls refused by a rate limit; they leave no receipt and are in no other figure'),
  errors: count('Of the requests: the provider failed, or the gateway crashed during the call'),
  avgLatencyMs: latency('Mean over the requests; 0 without any'),
  p50LatencyMs: latency('Median, within 1/9 of the exact one; 0 without requests'),
  p95LatencyMs: latency('95th percentile, within 1/9 of the exact one; 0 without requests'),
}

const exampleFigures = {
  requests: 1204,
  inputTokens: 861_200,
  outputTokens: 240_310,
  totalTokens: 1_101_510,
  spendUsd: 4.556101,
  blocked: 3,
  rateLimited: 12,
  errors: 2,
  avgLatencyMs: 1420.6,
  p50LatencyMs: 1199.4,
  p95LatencyMs: 3659.4,
}

export const UsageQuery = Type.Object(
  {
    range: Type.Optional(
      Type.Enum([...ranges], {
        default: '30d',
        description: 'How far back; `mtd` is the calendar month to date',
      }),
    ),
    groupBy: Type.Optional(
      Type.Enum([...groupings], { default: 'model', description: 'The dimension of `groups`' }),
    ),
  },
  strict,
)

export const Usage = Type.Object(
  {
    range: Type.Enum([...ranges]),
    from: Type.String({ format: 'date-time', description: 'Inclusive; the start of the first interval' }),
    to: Type.String({ format: 'date-time', description: 'Exclusive; when the report was read' }),
    interval: Type.Enum(['minute', 'hour', 'day'], { description: 'The length of one point of `series`' }),
    totals: Type.Object(figures, { title: 'UsageFigures' }),
    series: Type.Array(
      Type.Object(
        {
          ts: Type.String({ format: 'date-time', description: 'Start of the interval, UTC' }),
          ...figures,
        },
        { title: 'UsagePoint' },
      ),
      {
        description:
          'Every interval of the span, oldest first, also those without a call; the last is the current one',
      },
    ),
    groups: Type.Array(
      Type.Object(
        {
          key: Type.Union([Type.String(), Type.Null()], {
            description: 'The model, provider or id; null for calls that have none',
          }),
          ...figures,
        },
        { title: 'UsageGroup' },
      ),
      { description: 'By spend, then by requests, descending' },
    ),
  },
  {
    title: 'Usage',
    examples: [
      {
        range: 'mtd',
        from: '2026-11-01T00:00:00.000Z',
        to: '2026-11-01T09:30:12.345Z',
        interval: 'day',
        totals: exampleFigures,
        series: [{ ts: '2026-11-01T00:00:00.000Z', ...exampleFigures }],
        groups: [{ key: 'gpt-4o', ...exampleFigures }],
      },
    ],
  },
)
