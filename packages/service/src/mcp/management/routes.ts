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
import { describeHosted } from './describe-routes.js'
import { type OfferedTool, offerTool } from './offered-tool.js'
import type { Operations } from './operations.js'
import { createHostedServer, type Sdk } from './server.js'
import { managementTools } from './tools.js'

// The same number as the MCP server accepts in one request.
const maxBatch = 20

export interface HostedParts {
  operations: Operations
  publicPlace: PublicAddress | null
  version: string
}

/**
 * Our own management as an MCP server. Its tools call the management API with the caller's own key: what the API writes into the audit log
 * it writes for them too. They cost nothing and leave no receipt: the record is of what went to models and to the servers of others, and
 * reading it must not make it longer.
 */
export function registerHosted(app: App, { operations, publicPlace, version }: HostedParts): void {
  app.addHook('onRequest', async (request) => refuseForeignOrigin(request, publicPlace))
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
      onError: (err: unknown) => log.error({ err }, 'a tool of the management failed'),
    }
    const handler = sdk.createMcpHandler(
      () => createHostedServer(sdk, tools, version, caller),
      // There is nothing to listen to: a stream would be open for nothing.
      { legacy: 'stateless', maxSubscriptions: 0 },
    )
    const asked = new Request('http://localhost/', { method, headers: protocolHeaders(request.headers) })
    const answered = await handler.fetch(asked, { parsedBody: body ?? null })
    // Tools send nothing before their result: what is framed as a stream has one event, and ends.
    const text = await answered.text()
    // An empty text would be sent as text/plain.
    return reply
      .code(answered.status)
      .headers(Object.fromEntries(answered.headers))
      .send(text === '' ? undefined : text)
  }

  const url = '/mcp/tallystick'
  app.post(url, { config: describeHosted('Post'), schema: { hide: true, body: Type.Unknown() } }, answer)
  // Sessions and streams of the older protocol: the package says that there are none.
  app.get(url, { config: describeHosted('Get'), exposeHeadRoute: false, schema: { hide: true } }, answer)
  app.delete(url, { config: describeHosted('Delete'), schema: { hide: true } }, answer)
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
