import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'
import { rateLimitHeaderSchemas, receiptHeaderSchemas } from '../../calls/core/index.js'
import { requestIdHeader } from '../../http/index.js'

// The OpenAPI description of the MCP routes. Messages are validated by the protocol's own rules, not by these schemas.

const Id = Type.Union([Type.String(), Type.Integer(), Type.Null()])

const Message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    method: Type.Optional(
      Type.String({ description: 'The method. Absent in a reply to a request of the server' }),
    ),
    params: Type.Optional(Type.Object({}, { additionalProperties: true })),
  },
  {
    title: 'McpMessage',
    additionalProperties: true,
    description:
      'A JSON-RPC 2.0 message. Callers of protocol version 2025-03-26 can send an array of messages',
    examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
  },
)

const Response = Type.Object(
  {
    jsonrpc: Type.Literal('2.0'),
    id: Type.Optional(Id),
    result: Type.Optional(Type.Object({}, { additionalProperties: true })),
    error: Type.Optional(
      Type.Object({
        code: Type.Integer(),
        message: Type.String(),
        data: Type.Optional(
          Type.Unknown({ description: 'The error body of the other routes, with its `type`' }),
        ),
      }),
    ),
  },
  { title: 'McpResponse', description: 'A JSON-RPC 2.0 response, with a `result` or an `error`' },
)

const json = { 'application/json': { schema: Response } }
const events = { 'text/event-stream': { schema: Type.String({ description: 'Each event is a message' }) } }

/** The content of errors of MCP routes. */
const errorContent = json

const OneServer = Type.Object({
  server: Type.String({ description: 'The name of an MCP server', examples: ['files'] }),
})
const SessionHeader = Type.Object({
  'mcp-session-id': Type.Optional(
    Type.String({ description: 'The id of the session that `initialize` started' }),
  ),
  'mcp-protocol-version': Type.Optional(Type.String({ examples: ['2025-11-25'] })),
})
const answerHeaders = { always: { ...requestIdHeader, ...rateLimitHeaderSchemas, ...receiptHeaderSchemas } }
const notAcceptable = {
  406: {
    description: 'The `Accept` header allows none of the media types of the answer',
    headers: requestIdHeader,
    content: json,
  },
}

type Verb = 'Post' | 'Get' | 'Delete'

/** Returns the configuration of the routes of one path, for all servers or for one. */
export function describeMcpRoutes(path: string): Record<Verb, FastifyContextConfig> {
  const isOne = path !== '/mcp'
  const of = isOne ? 'one MCP server' : 'all MCP servers that the key may use'
  const shared = {
    tags: ['MCP'],
    headers: SessionHeader,
    ...(isOne && { params: OneServer }),
  }
  const base = { access: 'member', mcp: true, errorContent } as const
  const suffix = isOne ? 'ToServer' : ''
  return {
    Post: {
      ...base,
      errors: ['not_found', 'payload_too_large', 'unsupported_media_type'],
      answerHeaders: {
        ...answerHeaders,
        success: {
          'Mcp-Session-Id': Type.String({ description: 'The id of the session that `initialize` started' }),
        },
      },
      described: {
        ...shared,
        operationId: `sendMcpMessage${suffix}`,
        summary: `Send a message to ${of}`,
        description: `Sends a message in the Model Context Protocol over streamable HTTP. The supported versions are 2026-07-28, 2025-11-25, 2025-06-18
and 2025-03-26.

Tool calls are governed like model calls: budgets, limits and policies apply, and each call leaves a receipt. A refused call is
answered with a JSON-RPC error whose \`data\` is the error body of the other routes.`,
        body: Message,
        response: {
          200: {
            description: 'The response, or a stream of messages that ends with the response',
            content: { ...json, ...events },
          },
          202: Type.Null({
            description: 'The notification or reply was accepted. There is no response body',
          }),
          ...notAcceptable,
        },
      },
    },
    Get: {
      ...base,
      errors: ['not_found'],
      answerHeaders: { always: requestIdHeader },
      described: {
        ...shared,
        operationId: `listenToMcp${suffix}`,
        summary: `Listen for tool changes of ${of}`,
        description: 'Opens a stream of notifications, for callers of protocol versions before 2026-07-28.',
        response: { 200: { description: 'A stream of notifications', content: events }, ...notAcceptable },
      },
    },
    Delete: {
      ...base,
      errors: ['not_found'],
      described: {
        ...shared,
        operationId: `endMcpSession${suffix}`,
        summary: `End a session with ${of}`,
        description: 'Ends the session that the `Mcp-Session-Id` header names.',
        response: { 204: Type.Null({ description: 'The session has ended' }) },
      },
    },
  }
}
