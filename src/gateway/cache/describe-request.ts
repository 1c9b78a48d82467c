import type { JsonObject } from '../../json/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import type { RouteRecord } from '../../modules/routes/index.js'
import { boundInput, type Target } from '../../providers/index.js'
import type { Call } from '../call.js'
import type { PlannedCall } from '../plan/plan.js'

export type CacheTerms = NonNullable<RouteRecord['cache']>

// Where the canonical form of a larger one is made, others would wait.
const maxBodyBytes = 1024 * 1024

/** Those whose request and answer are JSON or events. */
const cached = new Set([
  ...['chat', 'messages', 'responses', 'completions', 'embeddings', 'moderations', 'rerank'],
])

// Only what the provider adds is wanted, not how long it is.
const counter = { measure: async () => ({ estimate: 0, bound: 0 }) }

/** Whether a call has all that its answer depends on in itself: no tool that the provider runs, and nothing that it keeps or shall keep. */
export async function isSelfContained(
  { dialect, body, raw }: Call,
  { provider, facts }: Target,
): Promise<boolean> {
  if (!cached.has(dialect.name) || raw.length > maxBodyBytes || provider.auth === 'caller') return false
  // Responses are kept by the provider unless the caller says otherwise; others are not unless it does.
  const isKept = dialect.name === 'responses' ? body.store !== false : body.store === true
  if (isKept || body.background === true || Object.keys(facts.usesPerCall).length > 0) return false
  if (dialect.hostedToolsOf(body).tools.length > 0) return false
  const { held } = await boundInput({ body, dialect: dialect.inputOf ?? dialect.name, facts, counter })
  // A prompt is ours, and rendered into the call.
  return held.every(({ kind }) => kind === 'prompt')
}

/** All that must be the same for an answer to be given again. */
export function describeRequest(
  { call, entitlements, plan }: Pick<PlannedCall, 'call' | 'entitlements' | 'plan'>,
  target: Target,
  { scope }: CacheTerms,
): string {
  const { dialect, headers, query } = call
  const { contextWindow } = target.facts
  const body: JsonObject = { ...call.body }
  for (const [name, json] of plan.edits) body[name] = json === null ? undefined : JSON.parse(json)
  // Its name at the provider stands beside it: two names of one model have the same answers.
  body.model = undefined
  // Without a maximum of its own, a call has that which its key's limit leaves.
  const roomOf = dialect.maxOutputOf(call.body) === null ? entitlements.key.tpmLimit : null
  return writeSorted([
    1,
    scopeOf(entitlements, scope),
    dialect.name,
    [target.provider.id, target.model, target.price],
    plan.policies,
    [target.provider.pickHeaders(headers, { contextWindow }), query],
    roomOf,
    body,
  ])
}

function scopeOf(entitlements: Entitlements, scope: CacheTerms['scope']): unknown[] {
  const { keyId, teamId } = scopeIdsOf(entitlements)
  if (scope === 'tenant') return ['tenant']
  // Who is in no team shares with nobody.
  return scope === 'team' && teamId !== null ? ['team', teamId] : ['key', keyId]
}

/** JSON with the members of each object in order. Numbers are those that were sent: one that a double does not hold is refused before. */
function writeSorted(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(writeSorted).join()}]`
  const members = Object.entries(value).filter(([, each]) => each !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${writeSorted(each)}`).join()}}`
}
