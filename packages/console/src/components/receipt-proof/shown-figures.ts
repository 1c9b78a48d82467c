import type { components } from '../../api'
import type { Fields } from '../../verifier'

type CallDetail = components['schemas']['CallDetail']

/**
 * What the page shows of a call, by the names of its receipt. The page reads the call from a table that is derived from the record, so
 * this is what must be held against the text that was hashed.
 */
export function shownFigures(call: CallDetail, receipt: Fields): Fields {
  const corrected = call.corrections.reduce((sum, { differenceUsd }) => sum + toNanos(differenceUsd), 0)
  const costNanos = toNanos(call.costUsd) - corrected
  const shown: Fields = {
    // A further attempt has an id of its own, and names the call.
    ...(call.attempt === 1
      ? { id: call.requestId }
      : { id: `${call.requestId}.${call.attempt}`, call: call.requestId, attempt: call.attempt }),
    route: call.route,
    seq: call.receiptSeq,
    ts: call.ts,
    kind: call.kind,
    key: call.keyId,
    user: call.userId,
    team: call.teamId,
    provider: call.provider,
    model: call.askedModel,
    server: call.server,
    tool: call.tool,
    // The usual one is not written.
    method: call.method === 'tools/call' ? null : call.method,
    toolError: call.toolError,
    rpcCode: call.rpcCode,
    upstream: call.upstream,
    stream: call.stream,
    status: call.status,
    outcome: call.outcome,
    fault: call.fault,
    inputTokens: call.inputTokens,
    outputTokens: call.outputTokens,
    cachedTokens: call.cachedTokens,
    usage: call.usage,
    latencyMs: call.latencyMs,
    firstTokenMs: call.firstTokenMs,
    session: call.session,
    tags: call.tags,
    costNanos,
  }
  return Object.fromEntries(
    Object.entries(shown).filter(([name, value]) => name in receipt || !isNothing(value)),
  )
}

const toNanos = (usd: number) => Math.round(usd * 1e9)

/** What a call shows where its receipt has no such member. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === 0 || value === false
}
