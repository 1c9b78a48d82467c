import { ApiError } from '../../errors.js'
import type { JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { GovernedMethod } from '../call/contract.js'
import type { Answer } from './answer.js'
import { checkArgumentHeaders } from './argument-headers.js'
import { CallLine } from './call-line.js'
import type { Cancellations } from './cancellations.js'
import type { CallerAccess, McpOptions } from './contract.js'
import type { FaceCaller } from './face-caller.js'
import { addressOf, isUnknown, toToolRequest } from './governed.js'
import { capabilitiesOf, discoverResult, instructionsFor, serverInfoOf } from './handshake.js'
import type { FaceLimits } from './limits.js'
import { listLive } from './list-live.js'
import { listTools } from './list-tools.js'
import { type ListingMethod, type LiveListings, listingMethods } from './live-listings.js'
import { isLogLevel } from './log-level.js'
import type { RpcRequest } from './message.js'
import { metaKeys, metaOf, progressTokenOf } from './meta.js'
import { type ListedItem, pageOf } from './pages.js'
import { resultForCaller } from './result.js'
import { invalidParams, methodNotFound } from './rpc.js'

export interface MethodParts extends McpOptions {
  limits: FaceLimits
  listings: LiveListings
  cancellations: Cancellations
}

/** A request, and whoever waits for it. */
export interface Asked {
  request: RpcRequest
  caller: FaceCaller
  answer: Answer
}

/** What a request comes to: the result as JSON, and headers for the answer. */
export type Outcome = ({ resultJson: string } | { errorJson: string }) & { headers?: Record<string, string> }

/** `cancelled`: its caller said that it wants no answer any more, and gets none. */
type Handler = (asked: Asked, parts: MethodParts) => Promise<Outcome | 'cancelled'>

const listing =
  (method: ListingMethod): Handler =>
  async ({ request, caller }, parts) => {
    const { access, servers } = await lookAround(caller, parts)
    const items = await listLive(method, servers, access, caller, parts)
    return writePage(listingMethods[method].items, items, request, caller, parts)
  }

const governed =
  (method: GovernedMethod): Handler =>
  async ({ request, caller, answer }, parts) => {
    const { waitForTurn, rules } = parts
    const findServer = async (name: string) => {
      const server = await parts.servers.find(caller.principal.tenantId, name)
      return server?.enabled ? server : null
    }
    const addressed = await addressOf(method, request, caller, findServer, waitForTurn)
    if (caller.isModern && method === 'tools/call')
      await checkArgumentHeaders(request, addressed, caller, rules)
    const line = new CallLine(
      {
        caller,
        answer,
        server: addressed.server.name,
        progressToken: progressTokenOf(request.metaJson),
        logLevel: await logLevelOf(request, caller, parts),
      },
      parts,
    )
    let isCancelled = false
    const stopWatching = [
      answer.onGone(() => line.leave()),
      parts.cancellations.watch(caller, request, () => {
        isCancelled = true
        line.leave()
      }),
    ]
    try {
      const end = await rules.govern(
        toToolRequest(method, request, addressed, caller, line),
        caller.principal,
      )
      if (isCancelled && 'errorJson' in end) return 'cancelled'
      if (isUnknown(end)) throw addressed.unknown
      if ('errorJson' in end) return end
      const resultJson = await resultForCaller(
        end.resultJson,
        {
          method,
          isModern: caller.isModern,
          composedFor: caller.server === null ? addressed.server.name : null,
          serverInfo: JSON.stringify(serverInfoOf(parts.version)),
        },
        waitForTurn,
      )
      return { resultJson, headers: end.headers }
    } catch (error) {
      if (isCancelled) return 'cancelled'
      throw error instanceof ApiError && error.type === 'not_found' ? addressed.unknown : error
    } finally {
      for (const stop of stopWatching) stop()
    }
  }

const common: Readonly<Record<string, Handler>> = {
  'tools/list': async ({ request, caller }, parts) => {
    const { access, servers } = await lookAround(caller, parts)
    const form = { isComposed: caller.server === null, isModern: caller.isModern }
    return writePage('tools', await listTools(servers, access, form), request, caller, parts)
  },
  'tools/call': governed('tools/call'),
  'resources/list': listing('resources/list'),
  'resources/templates/list': listing('resources/templates/list'),
  'resources/read': governed('resources/read'),
  'prompts/list': listing('prompts/list'),
  'prompts/get': governed('prompts/get'),
  'completion/complete': governed('completion/complete'),
}

const older: Readonly<Record<string, Handler>> = {
  ...common,
  ping: async () => ({ resultJson: '{}' }),
  'logging/setLevel': async ({ request, caller }, { sessions }) => {
    const { level } = request.params
    if (!isLogLevel(level)) throw invalidParams('params.level is no level of log messages')
    if (caller.session !== null) await sessions.setLogLevel(caller.session, level)
    return { resultJson: '{}' }
  },
  initialize: async ({ caller }, parts) => {
    const { servers } = await lookAround(caller, parts)
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
    const { servers } = await lookAround(caller, parts)
    return writeOwn(discoverResult(capabilitiesOf(servers), instructionsFor(caller.server)), caller, parts)
  },
}

/** Answers one request. Throws what is wrong with it. */
export async function answerRequest(asked: Asked, parts: MethodParts): Promise<Outcome | 'cancelled'> {
  const { caller, request } = asked
  const methods = caller.isModern ? modern : older
  const handler = Object.hasOwn(methods, request.method) ? methods[request.method] : undefined
  if (handler === undefined) throw methodNotFound(caller.isModern)
  return await handler(asked, parts)
}

/** What the caller may use at this moment: the server of its path, or all of its tenant's. */
export async function lookAround(
  { principal, server }: Pick<FaceCaller, 'principal' | 'server'>,
  { rules, servers }: Pick<McpOptions, 'rules' | 'servers'>,
): Promise<{ access: CallerAccess; servers: readonly McpServerTerms[] }> {
  const access = await rules.accessOf(principal)
  const all = server === null ? await servers.list(principal.tenantId) : [server]
  return { access, servers: all.filter((each) => each.enabled && access.mayUseServer(each)) }
}

/** Null for a server that there is not, and for one that the caller may not use. */
export async function findUsable(
  name: string,
  { principal }: Pick<FaceCaller, 'principal'>,
  { rules, servers }: Pick<McpOptions, 'rules' | 'servers'>,
): Promise<McpServerTerms | null> {
  const access = await rules.accessOf(principal)
  const server = await servers.find(principal.tenantId, name)
  return server?.enabled && access.mayUseServer(server) ? server : null
}

async function logLevelOf(
  { params }: RpcRequest,
  { isModern, session }: FaceCaller,
  { sessions }: Pick<McpOptions, 'sessions'>,
): Promise<string | null> {
  if (!isModern) return session === null ? null : await sessions.logLevelOf(session)
  const level = metaOf(params)[metaKeys.logLevel]
  // Who does not ask for log messages gets none.
  return isLogLevel(level) ? level : 'none'
}

function writePage(
  member: string,
  items: readonly ListedItem[],
  { params }: RpcRequest,
  caller: FaceCaller,
  parts: MethodParts,
): Outcome {
  const page = pageOf(items, params.cursor, parts.limits)
  const next = page.nextCursor === null ? {} : { nextCursor: page.nextCursor }
  const { resultJson } = writeOwn(next, caller, parts)
  const rest = resultJson === '{}' ? '}' : `,${resultJson.slice(1)}`
  return { resultJson: `{${JSON.stringify(member)}:[${page.items.join(',')}]${rest}` }
}

/** A result of our own. What it says holds for this caller, and as long as nothing changes. */
function writeOwn(
  result: JsonObject,
  { isModern }: FaceCaller,
  { version }: Pick<McpOptions, 'version'>,
): { resultJson: string } {
  if (!isModern) return { resultJson: JSON.stringify(result) }
  const own = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }
  const _meta = { [metaKeys.serverInfo]: serverInfoOf(version) }
  return { resultJson: JSON.stringify({ ...result, ...own, _meta }) }
}
