import type { JsonObject } from '@tallystick/record/json'
import { boundInput, type Target } from '../../../providers/index.js'
import { type Entitlements, scopeIdsOf } from '../../../resources/keys/index.js'
import type { RouteRecord } from '../../../resources/routes/index.js'
import type { Call } from '../call.js'
import type { PlannedModelCall } from '../plan/plan.js'

export type CacheSettings = NonNullable<RouteRecord['cache']>

// Larger bodies are not cached, because writing their canonical form would block other calls.
const maxBodyBytes = 1024 * 1024

// Counts nothing, because only the stored objects are of interest here.
const counter = { measure: async () => ({ estimate: 0, bound: 0 }) }

/** True when the answer depends only on the call: it uses no hosted tools and nothing that the provider stores. */
export async function isCacheableCall(
  { endpoint, body, raw }: Call,
  { provider, properties }: Target,
): Promise<boolean> {
  const { shape } = endpoint
  if (!shape.description.isCacheable || raw.length > maxBodyBytes || provider.auth === 'caller') return false
  if (shape.isStored(body) || body.background === true || Object.keys(properties.usesPerCall).length > 0)
    return false
  if (endpoint.hostedToolsOf(body).tools.length > 0) return false
  const { vendorInputs } = await boundInput({ body, shape, properties, counter })
  // Stored prompts are rendered into the call by this service.
  return vendorInputs.every(({ kind }) => kind === 'prompt')
}

/** Returns the cache key as plain text, before it is hashed: everything that must be equal for a cached response to be used. */
export function writeCacheKey(
  { call, entitlements, plan }: Pick<PlannedModelCall, 'call' | 'entitlements' | 'plan'>,
  target: Target,
  { scope }: CacheSettings,
): string {
  const { endpoint, headers, query } = call
  const { contextWindow } = target.properties
  const body: JsonObject = { ...call.body }
  for (const [name, json] of plan.edits) body[name] = json === null ? undefined : JSON.parse(json)
  // The model's name at the provider is part of the key instead, so that two names of one model share responses.
  body.model = undefined
  // Without a maximum in the request, the limit of the key determines the maximum output.
  const tpmLimit = endpoint.maxOutputOf(call.body) === null ? entitlements.key.tpmLimit : null
  return writeSorted([
    1,
    scopeOf(entitlements, scope),
    endpoint.name,
    [target.provider.id, target.model, target.price],
    plan.policies,
    [target.provider.pickHeaders(headers, { contextWindow }), query],
    tpmLimit,
    body,
  ])
}

function scopeOf(entitlements: Entitlements, scope: CacheSettings['scope']): unknown[] {
  const { keyId, teamId } = scopeIdsOf(entitlements)
  if (scope === 'tenant') return ['tenant']
  // A key without a team does not share responses.
  return scope === 'team' && teamId !== null ? ['team', teamId] : ['key', keyId]
}

/**
 * Writes JSON with the members of each object sorted. Numbers are exact, because a number that a double cannot hold was refused earlier.
 */
function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeSorted).join()}]`
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeSorted(each)}`).join()}}`
}
