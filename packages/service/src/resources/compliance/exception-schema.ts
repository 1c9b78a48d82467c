import { type TSchema, Type } from 'typebox'
import type { Entry, RecordException } from '../../record/index.js'

export const RestoreDetails = Type.Object(
  {
    sealedSize: Type.Integer({ description: 'The number of entries that were sealed before the restore' }),
    sealedRoot: Type.Optional(
      Type.String({
        description: 'The root of the tree over these entries, in hex. Absent if only the number is known',
      }),
    ),
    keptSize: Type.Optional(
      Type.Integer({
        description: 'The number of these entries that the record still has. Absent if unknown',
      }),
    ),
    missingEntries: Type.Optional(
      Type.Integer({
        description:
          'The number of these entries that are missing. Absent if unknown, in which case at least one is missing',
      }),
    ),
    asked: Type.Array(Type.String(), {
      description: 'The places that were checked to find out how far the record was sealed',
    }),
    corrects: Type.Optional(
      Type.Integer({
        description: 'The number of an earlier entry about the same restore, which this entry corrects',
      }),
    ),
  } satisfies Record<keyof NonNullable<Entry['restore']>, TSchema>,
  { description: 'In `record.restore`: what was sealed before the restore, and what is missing' },
)

export const ExceptionItem = Type.Object({
  seq: Type.Integer({ description: 'The number of the control entry that records the exception' }),
  ts: Type.String({ format: 'date-time' }),
  event: Type.String({
    description:
      '`record.restore` (sealed entries are missing), `record.drop`, `commitments.erase`, `signing_key.compromise` or `demo.fill` (entries are made up)',
  }),
  subject: Type.String(),
  by: Type.Optional(Type.String({ description: 'The operator who ran the command' })),
  reason: Type.Optional(Type.String()),
  restore: Type.Optional(RestoreDetails),
  statement: Type.String({ description: 'The exception as a sentence for people' }),
} satisfies Record<keyof RecordException | 'statement', TSchema>)
