import { type Static, Type } from 'typebox'
import { DateTime, strict } from '../../http/index.js'

export const PolicyHitsQuery = Type.Object(
  {
    timeZone: Type.Optional(
      Type.String({ maxLength: 64, default: 'UTC', description: 'The IANA time zone of the days' }),
    ),
  },
  strict,
)

export const PolicyHits = Type.Object(
  {
    days: Type.Array(DateTime, { description: 'The start of each of the seven days, oldest first' }),
    to: DateTime,
    policies: Type.Array(
      Type.Object({
        policyId: Type.String(),
        calls: Type.Array(Type.Integer({ minimum: 0 }), { description: 'The number of calls on each day' }),
      }),
      {
        description:
          'The policies that acted on at least one call. A policy that is not listed acted on none',
      },
    ),
  },
  {
    title: 'PolicyHits',
    examples: [
      {
        days: [
          '2026-11-09T00:00:00.000Z',
          '2026-11-10T00:00:00.000Z',
          '2026-11-11T00:00:00.000Z',
          '2026-11-12T00:00:00.000Z',
          '2026-11-13T00:00:00.000Z',
          '2026-11-14T00:00:00.000Z',
          '2026-11-15T00:00:00.000Z',
        ],
        to: '2026-11-16T00:00:00.000Z',
        policies: [{ policyId: 'pol_01k9zq3w8hcv7m2x4n6p8r0t1y', calls: [0, 0, 4, 1, 0, 0, 2] }],
      },
    ],
  },
)
export type PolicyHits = Static<typeof PolicyHits>
