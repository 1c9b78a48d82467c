import { type Static, Type } from 'typebox'

const State = Type.Enum(['ready', 'degraded', 'unready'], {
  description:
    '`degraded`: calls are carried out, but some are refused, or something needs repair. `unready`: this replica can carry out no call',
})

const check = (description: string) =>
  Type.Object(
    {
      state: State,
      since: Type.String({
        format: 'date-time',
        description: 'When this state, with this cause, was first seen',
      }),
      cause: Type.Optional(
        Type.String({
          description: 'The cause, as in the metric `tallystick_fault`. Absent when the state is `ready`',
        }),
      ),
      message: Type.Optional(Type.String({ description: 'What is wrong, and what to do' })),
    },
    { description },
  )

export const Readiness = Type.Object(
  {
    status: Type.Enum(['ready', 'degraded', 'unready'], {
      description: 'The worst state of all checks',
    }),
    checks: Type.Object({
      database: check('Whether the database answers and can be written'),
      limits: check('Whether limits and budgets can be counted, in Redis where it is used'),
      record: check('Whether receipts can be recorded'),
      spool: check('Receipts that wait on this disk for the database'),
      disk: check('The data directory'),
      workers: check('The processes of this service'),
    }),
  },
  {
    title: 'Readiness',
    examples: [
      {
        status: 'degraded',
        checks: {
          database: { state: 'ready', since: '2026-11-15T09:30:00.000Z' },
          limits: {
            state: 'degraded',
            since: '2026-11-15T09:41:07.000Z',
            cause: 'redis_unreachable',
            message:
              'Redis is unavailable: connect ECONNREFUSED 127.0.0.1:6379. Calls of keys with limits or budgets, and reading budgets, get 503; everything else works',
          },
          record: { state: 'ready', since: '2026-11-15T09:30:00.000Z' },
          spool: { state: 'ready', since: '2026-11-15T09:30:00.000Z' },
          disk: { state: 'ready', since: '2026-11-15T09:30:00.000Z' },
          workers: { state: 'ready', since: '2026-11-15T09:30:00.000Z' },
        },
      },
    ],
  },
)
export type Readiness = Static<typeof Readiness>
