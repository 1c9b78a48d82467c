import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'

const json = { 'application/json': { schema: Type.Object({}, { additionalProperties: true }) } }
const noSessions = {
  405: {
    description: 'It has neither streams nor sessions',
    headers: { Allow: Type.String({ examples: ['POST'] }) },
    content: json,
  },
}

const methods = {
  Post: {
    operationId: 'sendMcpMessageToTallystick',
    summary: 'Send a message to the MCP server of this service',
    description: `Its tools read what the management API shows, with the rights of the key. They cost nothing and leave no receipt.
What is wrong with a message is an error of JSON-RPC.`,
    body: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'A message of JSON-RPC 2.0, or an array of them',
        examples: [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }],
      },
    ),
    response: {
      200: {
        description: 'The response, as JSON or as a single event',
        content: { ...json, 'text/event-stream': { schema: Type.String() } },
      },
      202: Type.Null({ description: 'A notification was taken: nothing comes back' }),
      404: { description: 'There is no such method', content: json },
      406: {
        description: 'The `Accept` header must take application/json and text/event-stream',
        content: json,
      },
    },
  },
  Get: {
    operationId: 'listenToTallystick',
    summary: 'Refused: the MCP server of this service has no streams',
    description: 'The protocol knows it; here there is nothing to listen to.',
    response: noSessions,
  },
  Delete: {
    operationId: 'endTallystickSession',
    summary: 'Refused: the MCP server of this service has no sessions',
    description: 'The protocol knows it; here every message stands for itself.',
    response: noSessions,
  },
}

export const describeManagementMcp = (method: keyof typeof methods): FastifyContextConfig => ({
  access: 'member',
  onlyReads: true,
  described: { tags: ['MCP'], security: [{ bearer: [] }], ...methods[method] },
})
