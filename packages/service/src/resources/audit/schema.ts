import { type Static, Type } from 'typebox'
import { DateTime, Nullable, TimeFilter } from '../../http/index.js'

const Id = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 128, description }))

export const AuditFilters = {
  actorType: Type.Optional(
    Type.Enum(['key', 'session', 'operator'], { description: 'Only what this kind of actor did' }),
  ),
  actorId: Id(
    'Only what this key or session did, or `operator`. Of a key also what was done in its sessions',
  ),
  userId: Id('Only what this user did, with whatever key or session'),
  action: Id('Only this action, such as `key.create`; `key.*` for every action on that kind of thing'),
  subjectType: Id('Only changes of this kind of thing, such as `key`'),
  subjectId: Id('Only changes of the thing with this id'),
  from: TimeFilter('Done at or after'),
  to: TimeFilter('Done before'),
}

export const AuditEntry = Type.Object(
  {
    id: Type.String(),
    at: DateTime,
    actor: Type.Object({
      type: Type.Enum(['key', 'session', 'operator'], {
        description: 'A virtual key, a session of a person who signed in, or a command on the machine itself',
      }),
      id: Type.String({ description: 'Id of the key or the session, or `operator`' }),
      keyId: Type.Union([Type.String(), Type.Null()], {
        description: 'The key that acted or that the session was opened with; `operator` for the operator',
      }),
      userId: Type.Union([Type.String(), Type.Null()]),
      keyName: Nullable(Type.String(), 'What the key was called then; null for none'),
      userName: Nullable(Type.String(), 'What the user was called then; null for none'),
    }),
    action: Type.String({ examples: ['key.create', 'budget.update'] }),
    subject: Type.Object({ type: Type.String({ examples: ['key'] }), id: Type.String() }),
    before: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Null for what is new',
    }),
    after: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Null for what is gone',
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
