import { type Static, Type } from 'typebox'
import { DateTime, Nullable, RoleName, strict } from '../../http/index.js'

export const SignIn = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The value of a virtual key. It is checked and not kept',
    }),
  },
  { ...strict, title: 'SignIn', examples: [{ key: 'tallystick_sk_…' }] },
)

export const Caller = Type.Object(
  {
    tenant: Type.Object({ id: Type.String(), name: Type.String() }),
    role: RoleName,
    userId: Nullable(Type.String(), 'Null for a key without an owner'),
    name: Nullable(Type.String(), 'What people call the user'),
    email: Nullable(Type.String(), 'Where the user is reached'),
    keyId: Nullable(
      Type.String(),
      'The key that the request carries, or that its session was opened with; null after a sign-in by OpenID Connect',
    ),
    keyName: Nullable(Type.String(), 'What that key is called'),
    via: Type.Enum(['key', 'session', 'oidc'], {
      description: 'A key in the request; a session that was opened with a key; one opened by OpenID Connect',
    }),
    sessionId: Nullable(Type.String(), 'As in `GET /v1/sessions`'),
    expiresAt: Nullable(
      DateTime,
      'When the session ends if it is not used until then, or the key expires; null for a key that does not expire',
    ),
  },
  {
    title: 'Caller',
    examples: [
      {
        tenant: { id: 'tenant_01k9zq3w8hcv7m2x4n6p8r0t1y', name: 'default' },
        role: 'manager',
        userId: 'ada',
        name: 'Ada Lovelace',
        email: 'ada@example.com',
        keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        keyName: 'Ada',
        via: 'session',
        sessionId: 'ses_01k9zq3w8hcv7m2x4n6p8r0t1y',
        expiresAt: '2026-11-15T21:30:00.000Z',
      },
    ],
  },
)

export const Session = Type.Object(
  {
    id: Type.String({ examples: ['ses_01k9zq3w8hcv7m2x4n6p8r0t1y'] }),
    via: Type.Enum(['session', 'oidc'], { description: 'Opened with a key, or by OpenID Connect' }),
    keyId: Nullable(Type.String(), 'The key that it was opened with'),
    current: Type.Boolean({ description: 'It is the one of this request' }),
    ip: Type.String({ description: 'The address that signed in' }),
    userAgent: Type.String({ description: 'Browser and system that signed in, in a few words' }),
    createdAt: DateTime,
    lastSeenAt: Type.String({ format: 'date-time', description: 'To the minute' }),
    expiresAt: Type.String({ format: 'date-time', description: 'If it is not used until then' }),
  },
  {
    title: 'Session',
    examples: [
      {
        id: 'ses_01k9zq3w8hcv7m2x4n6p8r0t1y',
        via: 'session',
        keyId: 'key_01k9zq3w8hcv7m2x4n6p8r0t1y',
        current: true,
        ip: '203.0.113.7',
        userAgent: 'Firefox 144 on Linux',
        createdAt: '2026-11-15T09:30:00.000Z',
        lastSeenAt: '2026-11-15T09:30:00.000Z',
        expiresAt: '2026-11-15T21:30:00.000Z',
      },
    ],
  },
)

export type Caller = Static<typeof Caller>
export type Session = Static<typeof Session>
