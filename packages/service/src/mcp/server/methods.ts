import type { JsonObject } from '@tallystick/record/json'
import type { CallMethod } from '../../calls/tool/index.js'
import type { ToolServer } from '../../resources/mcp-servers/index.js'
import { ApiError } from '../../shared/errors.js'
import type { Answer } from './answer/answer.js'
import { resultForCaller } from './answer/result-for-caller.js'
import type { McpCaller } from './caller.js'
import { CallChannel } from './calls/call-channel.js'
import type { Cancellations } from './calls/cancellations.js'
import { isLogLevel } from './calls/log-level.js'
import { isUnknownTargetError, resolveTarget, toToolRequest } from './calls/tool-request.js'
import type { CallerAccess, McpOptions } from './contract.js'
import type { McpServerLimits } from './limits.js'
import { listServerItems } from './listings/list-server-items.js'
import { listTools } from './listings/list-tools.js'
import { type ListedItem, pageOf } from './listings/pages.js'
import { type ListingMethod, listingMethods, type ServerListings } from './listings/server-listings.js'
import { checkArgumentHeaders } from './protocol/argument-headers.js'
import { capabilitiesOf, discoverResult, instructionsFor, serverInfoOf } from './protocol/handshake.js'
import type { RpcRequest } from './protocol/message.js'
import { metaKeys, metaOf, progressTokenOf } from './protocol/meta.js'
import { invalidParams, methodNotFound } from './protocol/rpc.js'

export interface MethodParts extends McpOptions {
  limits: McpServerLimits
  listings: ServerListings
  cancellations: Cancellations
}

/** A request with its caller and its answer. */
export interface PendingRequest {
  request: RpcRequest
  caller: McpCaller
  answer: Answer
}

/** The result or error of a request as JSON, with headers for the answer. */
export type Outcome = ({ resultJson: string } | { errorJson: string }) & { headers?: Record<string, string> }

/** Handles a request. Resolves with `cancelled` when the caller cancelled it, which is then not answered. */
type Handler = (pending: PendingRequest, parts: MethodParts) => Promise<Outcome | 'cancelled'>

const listingHandler =
  (method: ListingMethod): Handler =>
  async ({ request, caller }, parts) => {
    const { access, servers } = await loadVisibleServers(caller, parts)
    const items = await listServerItems(method, servers, access, caller, parts)
    return writePage(listingMethods[method].items, items, request, caller, parts)
  }

const toolCallHandler =
  (method: CallMethod): Handler =>
  async ({ request, caller, answer }, parts) => {
    const { yieldToEventLoop, gateway } = parts
    const findServer = async (name: string) => {
      const server = await parts.servers.find(caller.principal.tenantId, name)
      return server?.enabled ? server : null
    }
    const target = await resolveTarget(method, request, caller, findServer, yieldToEventLoop)
    if (caller.isModern && method === 'tools/call')
      await checkArgumentHeaders(request, target, caller, gateway)
    const channel = new CallChannel(
      {
        caller,
        answer,
        server: target.server.name,
        progressToken: progressTokenOf(request.metaJson),
        logLevel: await logLevelOf(request, caller, parts),
      },
      parts,
    )
    let isCancelled = false
    const stopWatching = [
      answer.onGone(() => channel.leave()),
      parts.cancellations.watch(caller, request, () => {
        isCancelled = true
        channel.leave()
      }),
    ]
    try {
      const end = await gateway.callTool(
        toToolRequest(method, request, target, caller, channel),
        caller.principal,
      )
      if (isCancelled && 'errorJson' in end) return 'cancelled'
      if (isUnknownTargetError(end)) throw target.unknown
      if ('errorJson' in end) return end
      const resultJson = await resultForCaller(
        end.resultJson,
        {
          method,
          isModern: caller.isModern,
          composedFor: caller.server === null ? target.server.name : null,
          serverInfo: JSON.stringify(serverInfoOf(parts.version)),
        },
        yieldToEventLoop,
      )
      return { resultJson, headers: end.headers }
    } catch (error) {
      if (isCancelled) return 'cancelled'
      throw error instanceof ApiError && error.type === 'not_found' ? target.unknown : error
    } finally {
      for (const stop of stopWatching) stop()
    }
  }

const common: Readonly<Record<string, Handler>> = {
  'tools/list': async ({ request, caller }, parts) => {
    const { access, servers } = await loadVisibleServers(caller, parts)
    const form = { isComposed: caller.server === null, isModern: caller.isModern }
    return writePage('tools', await listTools(servers, access, form), request, caller, parts)
  },
  'tools/call': toolCallHandler('tools/call'),
  'resources/list': listingHandler('resources/list'),
  'resources/templates/list': listingHandler('resources/templates/list'),
  'resources/read': toolCallHandler('resources/read'),
  'prompts/list': listingHandler('prompts/list'),
  'prompts/get': toolCallHandler('prompts/get'),
  'completion/complete': toolCallHandler('completion/complete'),
}

const older: Readonly<Record<string, Handler>> = {
  ...common,
  ping: async () => ({ resultJson: '{}' }),
  'logging/setLevel': async ({ request, caller }, { sessions }) => {
    const { level } = request.params
    if (!isLogLevel(level)) throw invalidParams('params.level is not a log level')
    if (caller.session !== null) await sessions.setLogLevel(caller.session, level)
    return { resultJson: '{}' }
  },
  initialize: async ({ caller }, parts) => {
    const { servers } = await loadVisibleServers(caller, parts)
    const result = {
      protocolVersion: caller.protocolVersion,
      capabilities: capabilitiesOf(servers),
      serverInfo: serverInfoOf(parts.version),
      instructions: instructionsFor(caller.server),
    }
    return { resultJson: JSON.stringify(result) }
  },
}

const modern: Readonly<Record<string, Handler>> = {
  ...common,
  'server/discover': async ({ caller }, parts) => {
    const { servers } = await loadVisibleServers(caller, parts)
    return writeOwnResult(
      discoverResult(capabilitiesOf(servers), instructionsFor(caller.server)),
      caller,
      parts,
    )
  },
}

/** Answers one request. Throws when it is invalid. */
export async function answerRequest(
  pending: PendingRequest,
  parts: MethodParts,
): Promise<Outcome | 'cancelled'> {
  const { caller, request } = pending
  const methods = caller.isModern ? modern : older
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (handler === undefined) throw methodNotFound(caller.isModern)
  return await handler(pending, parts)
}

/** Loads the servers that the caller may currently use: the one of its path, or all of its tenant. */
export async function loadVisibleServers(
  { principal, server }: Pick<McpCaller, 'principal' | 'server'>,
  { gateway, servers }: Pick<McpOptions, 'gateway' | 'servers'>,
): Promise<{ access: CallerAccess; servers: readonly ToolServer[] }> {
  const access = await gateway.accessOf(principal)
  const all = server === null ? await servers.list(principal.tenantId) : [server]
  return { access, servers: all.filter((each) => each.enabled && access.mayUseServer(each)) }
}

/** Finds a server. Null when it does not exist or the caller may not use it. */
export async function findUsableServer(
  name: string,
  { principal }: Pick<McpCaller, 'principal'>,
  { gateway, servers }: Pick<McpOptions, 'gateway' | 'servers'>,
): Promise<ToolServer | null> {
  const access = await gateway.accessOf(principal)
  const server = await servers.find(principal.tenantId, name)
  return server?.enabled && access.mayUseServer(server) ? server : null
}

async function logLevelOf(
  { params }: RpcRequest,
  { isModern, session }: McpCaller,
  { sessions }: Pick<McpOptions, 'sessions'>,
): Promise<string | null> {
  if (!isModern) return session === null ? null : await sessions.logLevelOf(session)
  const level = metaOf(params)[metaKeys.logLevel]
  // Callers of 2026-07-28 receive log messages only on request.
  return isLogLevel(level) ? level : 'none'
}

function writePage(
  member: string,
  items: readonly ListedItem[],
  { params }: RpcRequest,
  caller: McpCaller,
  parts: MethodParts,
): Outcome {
  const page = pageOf(items, params.cursor, parts.limits)
  const next = page.nextCursor === null ? {} : { nextCursor: page.nextCursor }
  const { resultJson } = writeOwnResult(next, caller, parts)
  const rest = resultJson === '{}' ? '}' : `,${resultJson.slice(1)}`
  return { resultJson: `{${JSON.stringify(member)}:[${page.items.join(',')}]${rest}` }
}

/** Writes a result of this service. For callers of 2026-07-28 it is marked as private and not cacheable. */
function writeOwnResult(
  result: JsonObject,
  { isModern }: McpCaller,
  { version }: Pick<McpOptions, 'version'>,
): { resultJson: string } {
  if (!isModern) return { resultJson: JSON.stringify(result) }
  const own = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const _meta = { [metaKeys.serverInfo]: serverInfoOf(version) }
  return { resultJson: JSON.stringify({ ...result, ...own, _meta }) }
}
