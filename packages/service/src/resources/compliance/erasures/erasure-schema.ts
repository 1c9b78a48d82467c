import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict, UserId } from '../../../http/index.js'

export const CreateErasure = Type.Object(
  { userId: UserId },
  { ...strict, title: 'CreateErasure', examples: [{ userId: 'ada' }] },
)

export const Erasure = Type.Object(
  {
    id: Type.String(),
    userId: Type.String(),
    status: Type.Enum(['running', 'done']),
    throughSeq: Type.Integer({ description: 'The number of the last entry that the erasure covers' }),
    erasedReceipts: Type.Integer({ description: 'The number of receipts whose key was deleted' }),
    createdAt: DateTime,
    finishedAt: Nullable(DateTime, 'When the erasure finished. Null while it is running'),
  },
  {
    title: 'Erasure',
    examples: [
      {
        id: 'era_01k9zq3w8hcv7m2x4n6p8r0t1y',
        userId: 'ada',
        status: 'done',
        throughSeq: 2405,
        erasedReceipts: 118,
        createdAt: '2026-11-15T09:30:00.000Z',
        finishedAt: '2026-11-15T09:30:00.412Z',
      },
    ],
  },
)

export type Erasure = Static<typeof Erasure>
