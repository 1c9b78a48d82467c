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
      summary: 'Start a consent for an MCP server',
      description: `Shows a page for browsers. The page names the MCP server and the user or key that the access is for, and links to the
authorization server. The URL comes from \`POST /v1/mcp-servers/{id}/connect\` or from the error of a call that needs consent.`,
      querystring: Type.Object({
        link: Type.String({ description: 'An encrypted value that identifies who gives the consent' }),
      }),
      response: { 200: { description: 'The consent page', content: page } },
    },
  },
  callback: {
    ...pageConfig,
    described: {
      tags: ['MCP'],
      operationId: 'finishMcpConsent',
      summary: 'Complete a consent for an MCP server',
      description: 'Receives the browser back from the authorization server.',
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
      summary: 'Get the OAuth client metadata of this service',
      description:
        'Returns the client metadata for authorization servers that look up a client by its id. The client id is the URL of this document.',
      response: {
        200: Type.Object(
          { client_id: Type.String(), client_uri: Type.String(), redirect_uris: Type.Array(Type.String()) },
          { title: 'McpClient', additionalProperties: true },
        ),
      },
    },
  },
} satisfies Record<string, FastifyContextConfig>
