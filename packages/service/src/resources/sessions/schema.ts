import { type Static, Type } from 'typebox'
import { DateTime, Nullable, RoleName, strict } from '../../http/index.js'

export const SignIn = Type.Object(
  {
    key: Type.String({
      minLength: 1,
      maxLength: 300,
      description: 'The value of a virtual key. The service checks it and does not store it',
    }),
  },
  { ...strict, title: 'SignIn', examples: [{ key: 'tallystick_sk_…' }] },
)

export const Caller = Type.Object(
  {
    tenant: Type.Object({ id: Type.String(), name: Type.String() }),
    role: RoleName,
    userId: Nullable(Type.String(), 'The id of the user. Null for a key without an owner'),
    name: Nullable(Type.String(), 'The display name of the user'),
    email: Nullable(Type.String(), 'The email address of the user'),
    keyId: Nullable(
      Type.String(),
      'The key that authenticates the request, or that the session was opened with. Null for a session opened by OpenID Connect',
    ),
    keyName: Nullable(Type.String(), 'The name of that key'),
    via: Type.Enum(['key', 'session', 'oidc'], {
      description:
        'How the request is authenticated: by a key in the request, by a session that was opened with a key, or by a session that was opened by OpenID Connect',
    }),
    sessionId: Nullable(Type.String(), 'The id of the session, as in `GET /v1/sessions`'),
    expiresAt: Nullable(
      DateTime,
      'When the session ends if it is not used before then, or when the key expires. Null for a key that does not expire',
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
    via: Type.Enum(['session', 'oidc'], {
      description: 'How the session was opened: with a key, or by OpenID Connect',
    }),
    keyId: Nullable(Type.String(), 'The key that the session was opened with'),
    current: Type.Boolean({ description: 'True for the session that this request uses' }),
    ip: Type.String({ description: 'The IP address of the sign-in' }),
    userAgent: Type.String({ description: 'The browser and operating system of the sign-in' }),
    createdAt: DateTime,
    lastSeenAt: Type.String({
      format: 'date-time',
      description: 'When the session was last used, to the minute',
    }),
    expiresAt: Type.String({
      format: 'date-time',
      description: 'When the session ends if it is not used before then',
    }),
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
