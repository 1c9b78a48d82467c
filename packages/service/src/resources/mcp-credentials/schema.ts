import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'

export const McpCredential = Type.Object(
  {
    type: Type.Enum(['none', 'header', 'oauth', 'passthrough'], {
      description:
        'What the server requires from each user: nothing, a value for a header, consent by OAuth, or an `Authorization` header with each call',
    }),
    connected: Type.Boolean({
      description: 'True if the service can call the server on your behalf',
    }),
    expiresAt: Nullable(
      DateTime,
      'When you must connect again. Null if the service renews the credential, or if the expiry is unknown',
    ),
    updatedAt: Nullable(DateTime, 'When the credential was stored or renewed. Null if there is none'),
  },
  {
    title: 'McpCredential',
    examples: [
      { type: 'oauth' as const, connected: true, expiresAt: null, updatedAt: '2026-11-15T09:30:00.000Z' },
    ],
  },
)

export const SetMcpCredential = Type.Object(
  {
    value: Type.String({
      minLength: 1,
      maxLength: 8_192,
      pattern: '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$',
      'x-expects': 'printable characters of ASCII, without a space at either end',
      description:
        'The full value of the header, such as `Bearer …`. It is stored encrypted and never returned',
    }),
  },
  { ...strict, title: 'SetMcpCredential', examples: [{ value: 'Bearer ghp_example' }] },
)

export const McpConnection = Type.Object(
  {
    url: Type.String({
      description: 'The URL of the consent page. The user must open it in a browser within 15 minutes',
    }),
  },
  {
    title: 'McpConnection',
    examples: [{ url: 'https://ai.example.com/mcp/oauth/start?link=AbCd' }],
  },
)

export type McpCredential = Static<typeof McpCredential>
