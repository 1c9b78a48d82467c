import { type Static, Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import { relativeError } from '../reports/latency-percentiles.js'
import { groupings } from './dimensions.js'
import { groupNames, spanFields, tagParameters, UsageQuery } from './schema.js'

const { compare: _, format: __, groupBy: ___, ...parameters } = UsageQuery.properties

export const LatencyQuery = Type.Object(
  {
    ...parameters,
    groupBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 140,
        description: `One or two dimensions of \`groups\`, separated by a comma: ${groupings.join(', ')}, tag.<name>. Without it, no groups`,
      }),
    ),
  },
  { ...strict, patternProperties: tagParameters },
)
export type LatencyQuery = Static<typeof LatencyQuery>

const Percentiles = Type.Object(
  {
    calls: Type.Integer({ minimum: 0, description: 'The number of measured calls' }),
    p50Ms: Nullable(Type.Number(), 'The median in milliseconds. Null without calls'),
    p95Ms: Nullable(Type.Number(), 'The 95th percentile in milliseconds. Null without calls'),
    p99Ms: Nullable(Type.Number(), 'The 99th percentile in milliseconds. Null without calls'),
  },
  {
    title: 'Percentiles',
    description:
      '`latency` is the time from admission to the end of the answer, `firstToken` to its first byte',
  },
)

/** `latency`: from admission to the end of the answer. `firstToken`: to its first byte. */
const figures = { latency: Percentiles, firstToken: Percentiles }

const example = {
  latency: { calls: 1204, p50Ms: 1_180.4, p95Ms: 3_620.1, p99Ms: 8_004.9 },
  firstToken: { calls: 1201, p50Ms: 410.2, p95Ms: 1_120.7, p99Ms: 1_899.3 },
}

export const UsageLatency = Type.Object(
  {
    ...spanFields,
    relativeError: Type.Number({ description: 'The maximum relative error of the percentiles' }),
    totals: Type.Object(figures, { title: 'LatencyFigures' }),
    series: Type.Array(
      Type.Object(
        {
          ts: Type.String({ format: 'date-time', description: 'The start of the interval, in UTC' }),
          ...figures,
        },
        { title: 'LatencyPoint' },
      ),
      {
        description:
          'Every interval of the span, oldest first. Percentiles are null in an interval without calls',
      },
    ),
    groups: Type.Array(Type.Object({ ...groupNames, ...figures }, { title: 'LatencyGroup' }), {
      description: 'At most 100 groups, ordered by the number of calls, descending. Empty without `groupBy`',
    }),
  },
  {
    title: 'UsageLatency',
    examples: [
      {
        range: '24h' as const,
        from: '2026-11-14T10:00:00.000Z',
        to: '2026-11-15T09:30:12.345Z',
        timeZone: 'UTC',
        interval: 'hour' as const,
        relativeError,
        totals: example,
        series: [{ ts: '2026-11-14T10:00:00.000Z', ...example }],
        groups: [{ key: 'gpt-4o', ...example }],
      },
    ],
  },
)
export type UsageLatency = Static<typeof UsageLatency>
