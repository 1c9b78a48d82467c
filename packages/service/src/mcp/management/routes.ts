import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type App,
  credentialOf,
  type PublicAddress,
  principalOf,
  refuseForeignOrigin,
} from '../../http/index.js'
import { invalidRequest } from '../../shared/errors.js'
import { createCallApi } from './call-api.js'
import { describeManagementMcp } from './describe-routes.js'
import { type OfferedTool, offerTool } from './offered-tool.js'
import type { Operations } from './operations.js'
import { createManagementServer, type Sdk } from './server.js'
import { managementTools } from './tools.js'

// The same number as the MCP server accepts in one request.
const maxBatch = 20

export interface ManagementMcpParts {
  operations: Operations
  publicAddress: PublicAddress | null
  version: string
}

/**
 * Registers the management API as an MCP server. Its tools call the API with the caller's own key, so the same permissions and audit
 * entries apply. Calls of these tools cost nothing and leave no receipt, because nothing leaves this service.
 */
export function registerManagementMcp(
  app: App,
  { operations, publicAddress, version }: ManagementMcpParts,
): void {
  app.addHook('onRequest', async (request) => refuseForeignOrigin(request, publicAddress))
  let loaded: Promise<{ sdk: Sdk; tools: OfferedTool[] }> | null = null

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const principal = principalOf(request)
    const { body, method, log } = request
    if (Array.isArray(body) && body.length > maxBatch)
      throw invalidRequest(`A batch may have ${maxBatch} messages`)
    const keyValue = credentialOf(request)
    loaded ??= load(operations)
    const { sdk, tools } = await loaded
    const caller = {
      principal,
      callApi: createCallApi(app, keyValue, request.host),
      onError: (err: unknown) => log.error({ err }, 'a management tool failed'),
    }
    const handler = sdk.createMcpHandler(
      () => createManagementServer(sdk, tools, version, caller),
      // This server sends no notifications, so streams are not offered.
      { legacy: 'stateless', maxSubscriptions: 0 },
    )
    const forwarded = new Request('http://localhost/', { method, headers: protocolHeaders(request.headers) })
    const answered = await handler.fetch(forwarded, { parsedBody: body ?? null })
    // Even an answer in the form of a stream has only one event, because tools send nothing before their result.
    const text = await answered.text()
    // An empty text would be sent as text/plain.
    return reply
      .code(answered.status)
      .headers(Object.fromEntries(answered.headers))
      .send(text === '' ? undefined : text)
  }

  const url = '/mcp/tallystick'
  app.post(
    url,
    { config: describeManagementMcp('Post'), schema: { hide: true, body: Type.Unknown() } },
    answer,
  )
  // The package answers 405 here, because there are neither streams nor sessions.
  app.get(
    url,
    { config: describeManagementMcp('Get'), exposeHeadRoute: false, schema: { hide: true } },
    answer,
  )
  app.delete(url, { config: describeManagementMcp('Delete'), schema: { hide: true } }, answer)
}

/** Loads the package on first use, because that takes 200 ms and most services never need it. */
async function load(operations: Operations): Promise<{ sdk: Sdk; tools: OfferedTool[] }> {
  const sdk = await import('@modelcontextprotocol/server')
  return {
    sdk,
    tools: managementTools.map((tool) => {
      const operation = operations.get(tool.operation)
      if (operation === undefined) throw new Error(`there is no operation ${tool.operation}`)
      return offerTool(tool, operation)
    }),
  }
}

/** Returns the headers that the protocol reads. The key is not passed on. */
const protocolHeaders = (headers: IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && /^(accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
    ),
  )
