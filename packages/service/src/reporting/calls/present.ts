import type { CallRow, Db } from '../../db/index.js'
import { toUsd } from '../../http/index.js'
import { type FindName, namesAt, type WantedName } from '../../resources/names/index.js'
import type { Call } from './schema.js'

/** Presents a page of calls, with the names that applied at their time. */
export async function presentCalls(db: Db, tenantId: string, rows: readonly CallRow[]): Promise<Call[]> {
  const find = await namesAt(db, tenantId, rows.flatMap(namesOf))
  return rows.map((row) => presentCall(row, find))
}

/** Returns everything in a call that has a name. */
export function namesOf({ ts: at, key_id, user_id, team_id, policy_ids }: CallRow): WantedName[] {
  const wanted: WantedName[] = (policy_ids ?? []).map((id) => ({ type: 'policy', id, at }))
  if (key_id !== null) wanted.push({ type: 'key', id: key_id, at })
  if (user_id !== null) wanted.push({ type: 'user', id: user_id, at })
  if (team_id !== null) wanted.push({ type: 'team', id: team_id, at })
  return wanted
}

/** The only value that it has. */
export const presentCache = ({ cache }: CallRow): 'hit' | null => (cache === 'hit' ? cache : null)

export function presentCall(row: CallRow, find: FindName): Call {
  const nameOf = (type: WantedName['type'], id: string | null) =>
    id === null ? null : find({ type, id, at: row.ts })
  return {
    requestId: row.request_id,
    attempt: row.attempt,
    route: row.route,
    receiptSeq: row.seq,
    ts: row.ts.toISOString(),
    kind: row.kind,
    keyId: row.key_id,
    keyName: nameOf('key', row.key_id),
    userId: row.user_id,
    userName: nameOf('user', row.user_id),
    teamId: row.team_id,
    teamName: nameOf('team', row.team_id),
    provider: row.provider,
    model: row.model,
    askedModel: row.asked_model,
    upstream: row.upstream,
    server: row.server,
    tool: row.tool,
    method: row.kind === 'tool' ? (row.method ?? 'tools/call') : null,
    toolError: row.tool_error,
    rpcCode: row.rpc_code,
    stream: row.stream,
    status: row.status,
    outcome: row.outcome,
    inputTokens: row.input_tokens,
    outputTokens: row.output_tokens,
    cachedTokens: row.cached_tokens,
    costUsd: toUsd(row.cost_nanos),
    usage: row.usage_source,
    latencyMs: row.latency_ms,
    firstTokenMs: row.first_token_ms,
    session: row.session,
    agent: row.agent,
    cache: presentCache(row),
    batch: row.batch,
    tags: row.tags ?? {},
    policies: (row.policy_ids ?? []).map((id) => ({ id, name: nameOf('policy', id) })),
  }
}
