import { isObject, type JsonObject } from '../../json/index.js'
import { foldName } from '../references/index.js'
import type { UnboundedInput } from './attachments.js'
import { knownMembers, type Place, placesOf } from './places.js'

/**
 * Members by which some servers choose another model, another server or another request than the one that was planned: routers
 * such as OpenRouter and LiteLLM, and clients that merge one body into another. What they choose would be neither priced nor
 * governed.
 */
const choosing = new Set([
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

/** A member of the body that cannot be governed, wherever it stands; null if there is none. */
export const findUngoverned = (body: JsonObject, dialect: string): UnboundedInput | null =>
  findChoosing(Object.keys(body)) ??
  findOtherSpelling(Object.keys(body), knownMembers[dialect], '') ??
  findNested(body, placesOf[dialect], '')

function findChoosing(names: readonly string[]): UnboundedInput | null {
  const path = names.find((name) => choosing.has(foldName(name)))
  if (path === undefined) return null
  const message = 'is not offered: what it chooses instead of the model could be neither priced nor governed'
  return { path, message }
}

/** A name by which a body says what is governed: the same in another place might be read there. */
export const isGovernedMember = (name: string, dialect: string): boolean =>
  choosing.has(foldName(name)) || knownMembers[dialect]?.has(foldName(name)) === true

/**
 * A member whose name differs from one that the gateway reads in its case alone: to many servers both are the same, such as to
 * all that read JSON with Go, and theirs may be the one that counts.
 */
function findOtherSpelling(
  names: readonly string[],
  known: { has(name: string): boolean } | undefined,
  path: string,
): UnboundedInput | null {
  for (const name of names) {
    const folded = foldName(name)
    if (folded !== name && known?.has(folded))
      return { path: `${path}${name}`, message: `is another spelling of ${folded}` }
  }
  return null
}

/** The same below the members that the dialect knows. As deep as these go: the rest is the author's own. */
function findNested(body: JsonObject, place: Place | undefined, path: string): UnboundedInput | null {
  if (place === undefined) return null
  for (const [name, inner] of place.members) {
    if (inner.members.size === 0 || !Object.hasOwn(body, name)) continue
    const value = body[name]
    const items: readonly unknown[] = Array.isArray(value) ? value : [value]
    for (const [index, item] of items.entries()) {
      if (!isObject(item)) continue
      const below = `${path}${name}.${Array.isArray(value) ? `${index}.` : ''}`
      const found =
        findOtherSpelling(Object.keys(item), inner.members, below) ?? findNested(item, inner, below)
      if (found !== null) return found
    }
  }
  return null
}
