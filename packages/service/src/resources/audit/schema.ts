import { type Static, Type } from 'typebox'
import { DateTime, Nullable, TimeFilter } from '../../http/index.js'

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 128, description }))

export const AuditFilters = {
  actorType: Type.Optional(
    Type.Enum(['key', 'session', 'operator'], { description: 'Return only entries of this kind of actor' }),
  ),
  actorId: Id(
    'Return only entries of this key or session, or of `operator`. For a key, entries of its sessions are included',
  ),
  userId: Id('Return only entries of this user, with any key or session'),
  action: Id(
    'Return only entries with this action, such as `key.create`. `key.*` matches every action on keys',
  ),
  subjectType: Id('Return only changes of this kind of object, such as `key`'),
  subjectId: Id('Return only changes of the object with this id'),
  from: TimeFilter('Return only entries at or after this time'),
  to: TimeFilter('Return only entries before this time'),
}

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: DateTime,
    actor: Type.Object({
      type: Type.Enum(['key', 'session', 'operator'], {
        description: 'The kind of actor: a virtual key, a session, or an operator who ran a command',
      }),
      id: Type.String({ description: 'The id of the key or the session, or `operator`' }),
      keyId: Type.Union([Type.String(), Type.Null()], {
        description:
          'The key that made the request or that the session was opened with. `operator` for the operator',
      }),
      userId: Type.Union([Type.String(), Type.Null()]),
      keyName: Nullable(Type.String(), 'The name of the key at that time. Null without a name'),
      userName: Nullable(Type.String(), 'The name of the user at that time. Null without a name'),
    }),
    action: Type.String({ examples: ['key.create', 'budget.update'] }),
    subject: Type.Object({ type: Type.String({ examples: ['key'] }), id: Type.String() }),
    before: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'The object before the change. Null if it was created',
    }),
    after: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'The object after the change. Null if it was deleted',
    }),
  },
  {
    title: 'AuditEntry',
    examples: [
      {
        id: 'aud_01k9zq3w8hcv7m2x4n6p8r0t1y',
        at: '2026-11-15T09:30:00.000Z',
        actor: {
          type: 'key',
          id: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
          keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1x',
          userId: 'grace',
          keyName: 'platform',
          userName: 'Grace Hopper',
        },
        action: 'team.update',
        subject: { type: 'team', id: 'team_01k9zq3w8hcv7m2x4n6p8r0t1y' },
        before: { budgetPoolUsd: 500 },
        after: { budgetPoolUsd: 750 },
      },
    ],
  },
)

export type AuditEntry = Static<typeof AuditEntry>
