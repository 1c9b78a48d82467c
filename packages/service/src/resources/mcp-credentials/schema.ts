import { type Static, Type } from 'typebox'
import { DateTime, Nullable, strict } from '../../http/index.js'

export const McpCredential = Type.Object(
  {
    type: Type.Enum(['none', 'header', 'oauth', 'passthrough'], {
      description:
        'What the server wants of each user: nothing, a value for a header, consent by OAuth, or the `Authorization` of each call',
    }),
    connected: Type.Boolean({
      description: 'Whether the service has what it needs to call the server as you',
    }),
    expiresAt: Nullable(
      DateTime,
      'When you must connect again; null where the service renews it, or nobody knows',
    ),
    updatedAt: Nullable(DateTime, 'When it was stored or renewed; null where there is none'),
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
      description: 'The whole value of the header, such as `Bearer …`. It is sealed, and never shown again',
    }),
  },
  { ...strict, title: 'SetMcpCredential', examples: [{ value: 'Bearer ghp_example' }] },
)

export const McpConnection = Type.Object(
  {
    url: Type.String({
      description:
        'To be opened in a browser by the user that it is for, within 15 minutes. It leads to the consent',
    }),
  },
  {
    title: 'McpConnection',
    examples: [{ url: 'https://ai.example.com/mcp/oauth/start?link=AbCd' }],
  },
)

export type McpCredential = Static<typeof McpCredential>
