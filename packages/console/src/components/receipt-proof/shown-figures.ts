import type { components } from '../../api'
import type { Fields } from '../../verifier'

type CallDetail = components['schemas']['CallDetail']

/**
 * The values of a call that the page shows, keyed by the members of its receipt. The page reads them from a table derived from the
 * record, so they must be compared with the receipt that was hashed.
 */
export function shownFigures(call: CallDetail, receipt: Fields): Fields {
  const corrected = call.corrections.reduce((sum, { differenceUsd }) => sum + toNanos(differenceUsd), 0)
  const costNanos = toNanos(call.costUsd) - corrected
  const shown: Fields = {
    // Later attempts have an ID of their own and refer to the call.
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
    // The receipt omits the default value.
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

/** Whether a value means that the receipt has no such member. */
function isNothing(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === 0 || value === false
}
