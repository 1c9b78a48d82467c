import { callerAuthorizationOf } from '../../http/index.js'
import { asObject, asText, editTextMembers, isObject, type JsonObject } from '../../json/index.js'
import type { McpServerTerms } from '../../modules/mcp-servers/index.js'
import type { WaitForTurn } from '../../turns.js'
import type { GovernedMethod, ToolEnd, ToolRequest } from '../call/contract.js'
import type { CallLine } from './call-line.js'
import { setMembers } from './edit-text.js'
import type { FaceCaller } from './face-caller.js'
import type { RpcRequest } from './message.js'
import { textOf } from './message.js'
import { filedSessionOf, metaForServer } from './meta.js'
import { splitName, splitUri } from './names.js'
import { invalidParams, type RpcFault } from './rpc.js'

/** What a governed request is about, in the caller's words, and in those of the server. */
export interface Addressed {
  server: McpServerTerms
  /** By its server's own name. */
  name: string
  /** What does not exist, or is not for this caller. */
  unknown: RpcFault
  /** Members of the params that are to be in the server's words. */
  changes: ReadonlyMap<string, string | null>
}

/** Finds a server by its name. */
export type FindServer = (name: string) => Promise<McpServerTerms | null>

/** Whom a request goes to. Whether the caller may make it is for the rules to say: an attempt is a call that is refused. */
export async function addressOf(
  method: GovernedMethod,
  request: RpcRequest,
  caller: FaceCaller,
  findServer: FindServer,
  waitForTurn: WaitForTurn,
): Promise<Addressed> {
  const { params } = request
  switch (method) {
    case 'tools/call':
      requireArguments(params)
      // We offer no tasks: a receiver that does not must act as if none was asked for.
      return await byName(request, 'tool', new Map([['task', null]]))
    case 'prompts/get':
      requireArguments(params)
      return await byName(request, 'prompt', new Map())
    case 'resources/read': {
      const { uri } = params
      if (typeof uri !== 'string') throw invalidParams('params.uri must be a text')
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
  ): Promise<Addressed> {
    const { name } = given
    if (typeof name !== 'string') throw invalidParams('params.name must be a text')
    const unknown = invalidParams(`Unknown ${what}: ${shorten(name)}`)
    const parts = caller.server === null ? splitName(name) : { server: caller.server.name, name }
    const server = parts && (caller.server ?? (await findServer(parts.server)))
    if (server === null || parts === null || parts.name.length > maxNameLength) throw unknown
    return { server, name: parts.name, unknown, changes: changes.set('name', JSON.stringify(parts.name)) }
  }

  async function byUri(uri: string): Promise<Omit<Addressed, 'changes'>> {
    // The member alone says that there is no such resource.
    const unknown = invalidParams(`Resource not found: ${shorten(uri)}`, { uri })
    const parts = caller.server === null ? splitUri(uri) : { server: caller.server.name, uri }
    const server = parts && (caller.server ?? (await findServer(parts.server)))
    if (server === null || parts === null || parts.uri.length > maxNameLength) throw unknown
    return { server, name: parts.uri, unknown }
  }

  async function byReference(): Promise<Addressed> {
    const ref = asObject(params.ref)
    const refJson = textOf({ text: request.paramsJson, members: request.paramsMembers }, 'ref') ?? '{}'
    const field = ref.type === 'ref/resource' ? 'uri' : 'name'
    if (!isObject(params.ref) || !/^ref\/(prompt|resource)$/.test(asText(ref.type)))
      throw invalidParams('params.ref must name a prompt or a resource')
    const named = { ...request, params: { name: ref.name } }
    const found = field === 'uri' ? await byUri(asText(ref.uri)) : await byName(named, 'prompt', new Map())
    const own = await setMembers(refJson, { [field]: JSON.stringify(found.name) }, waitForTurn)
    return { ...found, changes: new Map([['ref', own]]) }
  }
}

/** Policies on arguments see them by their names: what has none would pass unseen. */
function requireArguments({ arguments: given }: JsonObject): void {
  if (given !== undefined && !isObject(given)) throw invalidParams('params.arguments must be an object')
}

const maxNameLength = 512
const shorten = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** The request as its server understands it. */
export function toToolRequest(
  method: GovernedMethod,
  { params, paramsJson, paramsMembers, metaJson }: RpcRequest,
  { server, name, changes }: Addressed,
  caller: FaceCaller,
  line: CallLine,
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
    filedSession: filedSessionOf(params, caller.session),
    isModern: caller.isModern,
    line,
  }
}

/** What the caller must not be able to tell from what does not exist. */
export function isUnknown(end: ToolEnd): boolean {
  if (!('errorJson' in end)) return false
  const { code, data } = JSON.parse(end.errorJson)
  return code === invalidParamsCode && isObject(data) && data.type === 'not_found'
}
const invalidParamsCode = -32_602
