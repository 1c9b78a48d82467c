import { asObject, asText, editTextMembers, isObject, type JsonObject } from '@tallystick/record/json'
import type { CallMethod, ToolEnd, ToolRequest } from '../../../calls/tool/index.js'
import { callerAuthorizationOf } from '../../../http/index.js'
import type { ToolServer } from '../../../resources/mcp-servers/index.js'
import type { YieldToEventLoop } from '../../../shared/slice-queue.js'
import type { McpCaller } from '../caller.js'
import { setMembers } from '../protocol/edit-json.js'
import type { RpcRequest } from '../protocol/message.js'
import { textOf } from '../protocol/message.js'
import { metaForServer, sessionLabelOf } from '../protocol/meta.js'
import { splitName, splitUri } from '../protocol/names.js'
import { invalidParams, type RpcFault } from '../protocol/rpc.js'
import type { CallChannel } from './call-channel.js'

/** The target of a call: the server and the name that this server uses. */
export interface CallTarget {
  server: ToolServer
  /** The name or URI that the server uses. */
  name: string
  /** The error when the target does not exist or the caller must not know of it. */
  unknown: RpcFault
  /** The members of the params to replace by the names that the server uses. */
  changes: ReadonlyMap<string, string | null>
}

/** Finds a server by its name. */
export type FindServer = (name: string) => Promise<ToolServer | null>

/** Finds the target of a request. Permissions are checked later, so that a refused call leaves a receipt. */
export async function resolveTarget(
  method: CallMethod,
  request: RpcRequest,
  caller: McpCaller,
  findServer: FindServer,
  yieldToEventLoop: YieldToEventLoop,
): Promise<CallTarget> {
  const { params } = request
  switch (method) {
    case 'tools/call':
      requireArguments(params)
      // Tasks are not supported. The protocol requires such receivers to ignore a request for one.
      return await byName(request, 'tool', new Map([['task', null]]))
    case 'prompts/get':
      requireArguments(params)
      return await byName(request, 'prompt', new Map())
    case 'resources/read': {
      const { uri } = params
      if (typeof uri !== 'string') throw invalidParams('params.uri must be a string')
      const found = await byUri(uri)
      return { ...found, changes: new Map([['uri', JSON.stringify(found.name)]]) }
    }
    case 'completion/complete':
      return await byReference()
  }

  async function byName(
    { params: given }: RpcRequest,
    what: string,
    changes: Map<string, string | null>,
  ): Promise<CallTarget> {
    const { name } = given
    if (typeof name !== 'string') throw invalidParams('params.name must be a string')
    const unknown = invalidParams(`Unknown ${what}: ${shorten(name)}`)
    const parts = caller.server === null ? splitName(name) : { server: caller.server.name, name }
    const server = parts && (caller.server ?? (await findServer(parts.server)))
    if (server === null || parts === null || parts.name.length > maxNameLength) throw unknown
    return { server, name: parts.name, unknown, changes: changes.set('name', JSON.stringify(parts.name)) }
  }

  async function byUri(uri: string): Promise<Omit<CallTarget, 'changes'>> {
    // Clients recognise a missing resource by the member `uri` alone.
    const unknown = invalidParams(`Resource not found: ${shorten(uri)}`, { uri })
    const parts = caller.server === null ? splitUri(uri) : { server: caller.server.name, uri }
    const server = parts && (caller.server ?? (await findServer(parts.server)))
    if (server === null || parts === null || parts.uri.length > maxNameLength) throw unknown
    return { server, name: parts.uri, unknown }
  }

  async function byReference(): Promise<CallTarget> {
    const ref = asObject(params.ref)
    const refJson = textOf({ text: request.paramsJson, members: request.paramsMembers }, 'ref') ?? '{}'
    const field = ref.type === 'ref/resource' ? 'uri' : 'name'
    if (!isObject(params.ref) || !/^ref\/(prompt|resource)$/.test(asText(ref.type)))
      throw invalidParams('params.ref must name a prompt or a resource')
    const named = { ...request, params: { name: ref.name } }
    const found = field === 'uri' ? await byUri(asText(ref.uri)) : await byName(named, 'prompt', new Map())
    const own = await setMembers(refJson, { [field]: JSON.stringify(found.name) }, yieldToEventLoop)
    return { ...found, changes: new Map([['ref', own]]) }
  }
}

/** Throws when the arguments are not an object, because policies find arguments by name. */
function requireArguments({ arguments: given }: JsonObject): void {
  if (given !== undefined && !isObject(given)) throw invalidParams('params.arguments must be an object')
}

const maxNameLength = 512
const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Returns the request with the names that its server uses. */
export function toToolRequest(
  method: CallMethod,
  { params, paramsJson, paramsMembers, metaJson }: RpcRequest,
  { server, name, changes }: CallTarget,
  caller: McpCaller,
  channel: CallChannel,
): ToolRequest {
  const meta = metaJson?.startsWith('{') ? metaForServer(metaJson) : null
  return {
    method,
    server,
    name,
    paramsJson: editTextMembers(paramsJson, paramsMembers, new Map([...changes, ['_meta', meta]])),
    headers: caller.headers,
    authorization: callerAuthorizationOf(caller.headers),
    session: caller.session?.id ?? null,
    defaultSession: sessionLabelOf(params, caller.session),
    isModern: caller.isModern,
    channel,
  }
}

/** True for the error about a target that does not exist or that the caller must not know of. */
export function isUnknownTargetError(end: ToolEnd): boolean {
  if (!('errorJson' in end)) return false
  const { code, data } = JSON.parse(end.errorJson)
  return code === invalidParamsCode && isObject(data) && data.type === 'not_found'
}
const invalidParamsCode = -32_602
