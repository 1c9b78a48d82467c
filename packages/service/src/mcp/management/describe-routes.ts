import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'

const json = { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } }
const noSessions = {
  405: {
    description: 'This server has neither streams nor sessions',
    headers: { Allow: Type.String({ examples: ['POST'] }) },
    content: json,
  },
}

const methods = {
  Post: {
    operationId: 'sendMcpMessageToTallystick',
    summary: 'Send a message to the MCP server of this service',
    description: `Sends a message to the built-in MCP server. Its tools read the same data as the management API, with the permissions of the
key. They cost nothing and leave no receipt. Invalid messages are answered with a JSON-RPC error.`,
    body: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'A JSON-RPC 2.0 message, or an array of messages',
        examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      },
    ),
    response: {
      200: {
        description: 'The response, as JSON or as a single event',
        content: { ...json, 'text/event-stream': { schema: Type.String() } },
      },
      202: Type.Null({ description: 'The notification was accepted. There is no response body' }),
      404: { description: 'The method does not exist', content: json },
      406: {
        description: 'The `Accept` header must include application/json and text/event-stream',
        content: json,
      },
    },
  },
  Get: {
    operationId: 'listenToTallystick',
    summary: 'Refused: the MCP server of this service has no streams',
    description: 'Always refused: the protocol has this operation, but this server sends no notifications.',
    response: noSessions,
  },
  Delete: {
    operationId: 'endTallystickSession',
    summary: 'Refused: the MCP server of this service has no sessions',
    description:
      'Always refused: the protocol has this operation, but every message to this server is independent.',
    response: noSessions,
  },
}

export const describeManagementMcp = (method: keyof typeof methods): FastifyContextConfig => ({
  access: 'member',
  onlyReads: true,
  described: { tags: ['MCP'], security: [{ bearer: [] }], ...methods[method] },
})
