import { isObject, type JsonObject } from '@tallystick/record/json'
import { foldName } from '../references/index.js'
import type { EndpointShape, InputNode } from '../shapes/index.js'
import type { UnboundedInput } from './attachments.js'

/**
 * Members with which some servers choose another model, server or request than the planned one: routers such as
 * OpenRouter and LiteLLM, and clients that merge one body into another. That choice would be neither priced nor
 * subject to policies.
 */
const routingMembers = new Set([
  ...[
    'models',
    'model_list',
    'fallbacks',
    'fallback_models',
    'default_fallbacks',
    'context_window_fallbacks',
  ],
  ...['content_policy_fallbacks', 'route', 'router', 'preset', 'plugins', 'engine', 'deployment_id'],
  ...[
    'custom_llm_provider',
    'litellm_params',
    'api_base',
    'base_url',
    'api_key',
    'extra_body',
    'extra_query',
  ],
  ...['extra_headers', 'mock_response'],
])

/** Finds a member of the body that the gateway cannot enforce, at any path; null when there is none. */
export const findUnenforceableMember = (body: JsonObject, shape: EndpointShape): UnboundedInput | null =>
  findRoutingMember(Object.keys(body)) ??
  findOtherSpelling(body, shape.memberNames) ??
  findNested(body, shape.input)

function findRoutingMember(names: readonly string[]): UnboundedInput | null {
  const path = names.find((name) => routingMembers.has(foldName(name)))
  if (path === undefined) return null
  const message =
    'is not supported: it selects another model or server, which could be neither priced nor checked by policies'
  return { path, message }
}

/** True for a name that the gateway enforces: a server might also read it at another path. */
export const isEnforcedMember = (name: string, shape: EndpointShape): boolean =>
  routingMembers.has(foldName(name)) || shape.memberNames.has(foldName(name))

/**
 * Finds a member whose name differs only in case from one that the gateway reads. Many servers, such as all that parse
 * JSON in Go, treat both as the same member and may use either.
 */
function findOtherSpelling(object: JsonObject, known: { has(name: string): boolean }): UnboundedInput | null {
  for (const name in object) {
    const folded = foldName(name)
    if (folded !== name && known.has(folded)) return { path: name, message: `must be spelled ${folded}` }
  }
  return null
}

/**
 * Searches the members that the endpoint describes, as deep as its description goes. Names below that are chosen by the
 * author of the request.
 */
function findNested(body: JsonObject, node: InputNode): UnboundedInput | null {
  for (const [name, inner] of node.members) {
    if (inner.members.size === 0 || !Object.hasOwn(body, name)) continue
    const value = body[name]
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (let index = 0; index < items.length; index++) {
      const item = items[index]
      if (!isObject(item)) continue
      const found = findOtherSpelling(item, inner.members) ?? findNested(item, inner)
      if (found === null) continue
      return { ...found, path: `${name}.${Array.isArray(value) ? `${index}.` : ''}${found.path}` }
    }
  }
  return null
}
