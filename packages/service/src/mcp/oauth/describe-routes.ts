import type { FastifyContextConfig } from 'fastify'
import { Type } from 'typebox'
import { setCookieHeader } from '../../http/index.js'

// The OpenAPI description of the pages for a user's browser. A link leads to the first page, and the authorization server to the second.

const page = { 'text/html': { schema: Type.String() } }

const pageConfig: FastifyContextConfig = {
  access: 'public',
  errors: ['not_found', 'upstream_error', 'unavailable'],
  errorContent: page,
  answerHeaders: { success: setCookieHeader },
}

export const described = {
  start: {
    ...pageConfig,
    described: {
      tags: ['MCP'],
      operationId: 'startMcpConsent',
      summary: 'Begin a consent for an MCP server',
      description: `For a browser. The page says for whose calls, and to which server, access is asked for, and leads to the authorization server.
The link comes from \`POST /v1/mcp-servers/{id}/connect\` or from the error of a call that needs a consent.`,
      querystring: Type.Object({
        link: Type.String({ description: 'Sealed; it says for whom the consent is' }),
      }),
      response: { 200: { description: 'The page that asks', content: page } },
    },
  },
  callback: {
    ...pageConfig,
    described: {
      tags: ['MCP'],
      operationId: 'finishMcpConsent',
      summary: 'End a consent for an MCP server',
      description: 'Where the authorization server sends the browser back to.',
      querystring: Type.Object(
        { code: Type.Optional(Type.String()), state: Type.Optional(Type.String()) },
        { description: 'As OAuth defines it; servers may add what they like' },
      ),
      response: { 200: { description: 'The account is connected', content: page } },
    },
  },
  client: {
    access: 'public',
    described: {
      tags: ['MCP'],
      operationId: 'getMcpClient',
      summary: 'What this service is as an OAuth client',
      description: 'For authorization servers that look a client up by its id, which is this address.',
      response: {
        200: Type.Object(
          { client_id: Type.String(), client_uri: Type.String(), redirect_uris: Type.Array(Type.String()) },
          { title: 'McpClient', additionalProperties: true },
        ),
      },
    },
  },
} satisfies Record<string, FastifyContextConfig>
