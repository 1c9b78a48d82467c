import type { CallRow } from '../../db/index.js'
import { callIdOf, canonicalModel, type EntryCheck, type NumberedReceipt } from '../../record/index.js'

/** A row of `calls` as it is written: complex values are in the text form that Postgres reads. */
export type NewCallRow = Omit<CallRow, 'ts' | 'tags' | 'policy_ids' | 'stage_ends'> & {
  ts: string
  tags: string | null
  policy_ids: string | null
  stage_ends: string | null
}

/**
 * Returns the row of a call, from its receipt and, if known, the times of its stages. Null for entries about the
 * record itself.
 */
export function toCallRow({
  tenantId,
  seq,
  draft,
  stageEnds,
}: Pick<NumberedReceipt, 'tenantId' | 'seq' | 'draft' | 'stageEnds'>): NewCallRow | null {
  if (draft.kind === 'control') return null
  return {
    tenant_id: tenantId,
    ts: draft.ts,
    seq,
    request_id: storable(callIdOf(draft)),
    attempt: draft.attempt ?? 1,
    route: storable(draft.route),
    kind: draft.kind,
    key_id: storable(draft.key),
    user_id: storable(draft.user),
    team_id: storable(draft.team),
    provider: storable(draft.provider),
    model: storable(canonicalModel(draft)),
    asked_model: storable(draft.model),
    upstream: storable(draft.upstream),
    server: storable(draft.server),
    tool: storable(draft.tool),
    method: storable(draft.method),
    tool_error: draft.toolError ?? false,
    rpc_code: draft.rpcCode ?? null,
    stream: draft.stream ?? false,
    status: draft.status ?? null,
    outcome: draft.outcome ?? null,
    input_tokens: draft.inputTokens ?? 0,
    output_tokens: draft.outputTokens ?? 0,
    cached_tokens: draft.cachedTokens ?? 0,
    cost_nanos: draft.costNanos ?? 0,
    usage_source: draft.usage ?? null,
    latency_ms: draft.latencyMs ?? null,
    first_token_ms: draft.firstTokenMs ?? null,
    session: storable(draft.session),
    agent: storable(draft.agent),
    cache: draft.cache ?? null,
    batch: draft.batch ?? null,
    admitted: !(draft.checks ?? []).some(({ name, result }) => name === 'budget' && result === 'fail'),
    tags: draft.tags === undefined ? null : JSON.stringify(draft.tags),
    policy_ids: toArrayText(policiesThatActed(draft.checks ?? [])),
    stage_ends: stageEnds === undefined ? null : `{${stageEnds.map((end) => end ?? 'null').join(',')}}`,
  }
}

export function policiesThatActed(checks: readonly EntryCheck[]): string[] | null {
  let ids: Set<string> | null = null
  for (const { policy, result, action } of checks) {
    if (policy === undefined || (action === undefined && (result === 'pass' || result === 'skip'))) continue
    ids ??= new Set()
    ids.add(policyIdOf(policy))
  }
  return ids === null ? null : [...ids]
}

/** Writes an array in the text form that Postgres reads. */
function toArrayText(ids: readonly string[] | null): string | null {
  if (ids === null) return null
  return `{${ids.map((id) => `"${storable(id).replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}

/** Returns the id without the version: `pol_…` for `pol_…@3`. */
export const policyIdOf = (reference: string): string => reference.split('@')[0] ?? reference

/**
 * Removes NUL, which Postgres refuses in a text but JSON allows and a provider may send in the name of its model. A
 * projection must never prevent a receipt from being written.
 */
function storable(text: string): string
function storable(text: string | null | undefined): string | null
function storable(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null
  return text.includes('\0') ? text.replaceAll('\0', '\ufffd') : text
}
