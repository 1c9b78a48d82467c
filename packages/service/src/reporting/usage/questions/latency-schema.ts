import { type Static, Type } from 'typebox'
import { Nullable, strict } from '../../../http/index.js'
import { relativeError } from '../reports/latency-percentiles.js'
import { groupings } from './dimensions.js'
import { groupNames, spanFields, tagParameters, UsageQuery } from './schema.js'

const { compare: _, format: __, groupBy: ___, ...asked } = UsageQuery.properties

export const LatencyQuery = Type.Object(
  {
    ...asked,
    groupBy: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 140,
        description: `The dimension of \`groups\`, or two of them with a comma between: ${groupings.join(', ')}, tag.<name>. Without it, no groups`,
      }),
    ),
  },
  { ...strict, patternProperties: tagParameters },
)
export type LatencyQuery = Static<typeof LatencyQuery>

const Percentiles = Type.Object(
  {
    calls: Type.Integer({ minimum: 0, description: 'Calls that were measured' }),
    p50Ms: Nullable(Type.Number(), 'Half of them took no longer; null without any'),
    p95Ms: Nullable(Type.Number(), '95 of 100 took no longer; null without any'),
    p99Ms: Nullable(Type.Number(), '99 of 100 took no longer; null without any'),
  },
  {
    title: 'Percentiles',
    description:
      'Of `latency`: from admission to the end of the answer. Of `firstToken`: to the first byte of it',
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
    relativeError: Type.Number({ description: 'Percentiles are within this share of the exact ones' }),
    totals: Type.Object(figures, { title: 'LatencyFigures' }),
    series: Type.Array(
      Type.Object(
        { ts: Type.String({ format: 'date-time', description: 'Start of the interval, UTC' }), ...figures },
        { title: 'LatencyPoint' },
      ),
      {
        description:
          'Every interval of the span, oldest first; null in one without a call, which is not zero',
      },
    ),
    groups: Type.Array(Type.Object({ ...groupNames, ...figures }, { title: 'LatencyGroup' }), {
      description: 'By the number of calls, descending; at most 100. Empty without `groupBy`',
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
