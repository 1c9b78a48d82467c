import { type Static, Type } from 'typebox'
import { DateTime } from '../../http/index.js'

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
