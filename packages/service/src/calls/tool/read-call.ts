import { isObject, type JsonBounds, type JsonObject } from '@tallystick/record/json'
import { newId } from '../../db/index.js'
import type { Entitlements } from '../../resources/keys/index.js'
import { type ApiError, invalidRequest } from '../../shared/errors.js'
import { readJson } from '../../shared/read-json.js'
import type { YieldToEventLoop } from '../../shared/slice-queue.js'
import { readCallLabels } from '../core/index.js'
import type { IncomingToolCall, ToolCall } from './call.js'
import type { ToolRequest } from './contract.js'
import { unknownTool } from './rpc-error.js'

const bounds: JsonBounds = {
  depth: 200,
  containers: 100_000,
  objectMembers: 10_000,
  members: 200_000,
  values: 500_000,
}

/** Parses untrusted JSON. Throws when it is not an object. */
export async function readObject(json: string, yieldToEventLoop: YieldToEventLoop): Promise<JsonObject> {
  const { value } = await readJson(Buffer.from(json), bounds, yieldToEventLoop)
  if (!isObject(value)) throw invalidRequest('It must be a JSON object')
  return value
}

export async function readToolCall(
  { id, tool: request, paramsJson, principal }: IncomingToolCall,
  { key }: Entitlements,
  yieldToEventLoop: YieldToEventLoop,
): Promise<ToolCall> {
  requireKnown(request)
  const { headers, defaultSession } = request
  const params = await readObject(paramsJson, yieldToEventLoop)
  const labels = readCallLabels(headers, key.tags)
  const session = labels.session ?? defaultSession
  return { ...labels, id: id ?? newId('req'), request, principal, paramsJson, params, session }
}

/**
 * Throws for a tool that the server does not have, which leaves no receipt. A tool that the caller may not use is refused later, with a
 * receipt.
 */
function requireKnown({ method, server, name }: ToolRequest): void {
  if (method === 'tools/call' && !server.tools.some((tool) => tool.name === name))
    throw unknownTarget(method, name)
}

/** Returns the same error for a target that does not exist and for one that the caller may not use. */
export const unknownTarget = (method: ToolRequest['method'], name: string): ApiError =>
  unknownTool(`Unknown ${targetOf[method]}: ${name}`)

const targetOf = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
  'completion/complete': 'prompt or resource',
}
