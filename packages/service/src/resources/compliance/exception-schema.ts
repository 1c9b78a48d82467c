import { type TSchema, Type } from 'typebox'
import type { Entry, RecordException } from '../../record/index.js'

export const RestoreFacts = Type.Object(
  {
    sealedSize: Type.Integer({ description: 'How many entries had been sealed before the restore' }),
    sealedRoot: Type.Optional(
      Type.String({ description: 'Root of the tree over them, hex; absent where only the size is known' }),
    ),
    keptSize: Type.Optional(
      Type.Integer({ description: 'How many of them the record kept; absent where unknown' }),
    ),
    missingEntries: Type.Optional(
      Type.Integer({ description: 'How many of them are missing; absent where unknown: at least one' }),
    ),
    asked: Type.Array(Type.String(), {
      description: 'The places that were asked how far the record had been sealed',
    }),
    corrects: Type.Optional(
      Type.Integer({ description: 'An earlier entry about the same restore, which this one corrects' }),
    ),
  } satisfies Record<keyof NonNullable<Entry['restore']>, TSchema>,
  { description: 'In `record.restore`: what had been sealed before, and what is missing' },
)

export const ExceptionItem = Type.Object({
  seq: Type.Integer({ description: 'The control entry that states it' }),
  ts: Type.String({ format: 'date-time' }),
  event: Type.String({
    description:
      '`record.restore` (sealed entries are missing), `record.drop`, `commitments.erase`, `signing_key.compromise` or `demo.fill` (entries are made up)',
  }),
  subject: Type.String(),
  by: Type.Optional(Type.String({ description: 'The operator who ran the command' })),
  reason: Type.Optional(Type.String()),
  restore: Type.Optional(RestoreFacts),
  statement: Type.String({ description: 'The same as a sentence for people' }),
} satisfies Record<keyof RecordException | 'statement', TSchema>)
