import { eachStage, type Stages } from '../../calls/core/index.js'
import type { FinishedModelAttempt, RefusedCall } from '../../calls/model/index.js'
import type { CallError, CallSummary, StageTime } from '../../observability/index.js'
import type { NumberedReceipt, ReceiptDraft } from '../../record/index.js'
import type { ApiError } from '../../shared/errors.js'

/** Describes a call that was admitted. */
export function summarizeFinished(finished: FinishedModelAttempt): CallSummary {
  const { call, target, draft, stages, fault } = finished
  const summary = summarizeDraft(draft, finished.entitlements.tenantId)
  summary.receipt = finished.seq
  summary.endpoint = call.endpoint.name
  summary.route = routeOf(call.endpoint)
  summary.server = target.provider.server ?? null
  summary.traceId = finished.trace?.traceId ?? null
  summary.target = target.model
  summary.vendor = target.provider.pricesOf
  summary.attempts = Number.isNaN(stages.forwardedMs) ? 0 : 1
  if (fault !== null) summary.status = fault.status
  summary.upstreamStatus = finished.upstreamStatus
  summary.answerId = finished.answerId
  summary.error = describe(fault ?? finished.error, fault !== null)
  summary.doubt = finished.doubt
  summary.latencyMs = finished.latencyMs
  summary.firstByteMs = finished.firstByteMs
  summary.beginMs = stages.arrivedMs
  summary.endMs = stages.recordedMs
  summary.stages = timesOf(stages)
  return summary
}

/** Describes a call of a process that died. Only what was written at its admission is known. */
export function summarizeInterrupted({ draft, seq, tenantId }: NumberedReceipt): CallSummary {
  const summary = summarizeDraft(draft, tenantId)
  summary.receipt = seq
  summary.attempts = 1
  return summary
}

/** Describes a call that was refused before admission. */
export function summarizeRefused({
  id,
  endpoint,
  error,
  principal,
  progress,
  endedMs,
}: RefusedCall): CallSummary {
  const { entitlements, call, target, stages, trace } = progress
  return {
    ...emptySummary(id, principal?.tenantId ?? null),
    key: principal?.keyId ?? null,
    user: principal?.userId ?? null,
    team: entitlements?.team?.id ?? null,
    session: call?.session ?? null,
    tags: call?.tags ?? null,
    endpoint: endpoint.name,
    route: routeOf(endpoint),
    model: call?.model ?? null,
    provider: target?.provider.name ?? null,
    vendor: target?.provider.pricesOf ?? null,
    target: target?.model ?? null,
    stream: call?.stream ?? false,
    status: error.status,
    outcome: 'refused',
    error: describe(error, false),
    beginMs: stages.arrivedMs,
    endMs: endedMs,
    stages: timesOf(stages),
    traceId: trace?.traceId ?? null,
  }
}

export function summarizeDraft(draft: ReceiptDraft, tenant: string): CallSummary {
  return {
    ...emptySummary(draft.id, tenant),
    key: draft.key ?? null,
    user: draft.user ?? null,
    team: draft.team ?? null,
    session: draft.session ?? null,
    tags: draft.tags ?? null,
    model: draft.model ?? null,
    provider: draft.provider ?? null,
    upstream: draft.upstream ?? null,
    tool: describeTool(draft),
    stream: draft.stream ?? false,
    status: draft.status ?? 0,
    outcome: draft.outcome ?? '',
    inputTokens: draft.inputTokens ?? 0,
    outputTokens: draft.outputTokens ?? 0,
    cachedTokens: draft.cachedTokens ?? 0,
    costNanos: draft.costNanos ?? 0,
    usage: draft.usage ?? null,
  }
}

export function describeTool(
  draft: Pick<ReceiptDraft, 'kind' | 'server' | 'tool' | 'method' | 'toolError' | 'rpcCode'>,
): CallSummary['tool'] {
  const { kind, server, tool, method, toolError, rpcCode } = draft
  if (kind !== 'tool') return null
  return {
    server: server ?? null,
    name: method === undefined ? (tool ?? null) : null,
    method: method ?? 'tools/call',
    isError: toolError ?? false,
    rpcCode: rpcCode ?? null,
  }
}

/** Returns a summary without values. All members are set, so that the objects of all calls have the same hidden class in V8. */
export const emptySummary = (requestId: string, tenant: string | null): CallSummary => ({
  requestId,
  receipt: null,
  tenant,
  key: null,
  user: null,
  team: null,
  session: null,
  tags: null,
  endpoint: null,
  route: null,
  model: null,
  provider: null,
  vendor: null,
  target: null,
  upstream: null,
  answerId: null,
  tool: null,
  server: null,
  stream: false,
  attempts: 0,
  status: 0,
  upstreamStatus: null,
  outcome: '',
  error: null,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  costNanos: 0,
  usage: null,
  doubt: null,
  latencyMs: null,
  firstByteMs: null,
  beginMs: 0,
  endMs: 0,
  stages: [],
  traceId: null,
})

const routeOf = ({ path }: FinishedModelAttempt['call']['endpoint']): string => `/v1${path}`

export function describe(error: ApiError | null, isLost: boolean): CallError | null {
  if (error === null) return null
  const { type, message, cause, extras, serviceFault: fault } = error
  return {
    type,
    message,
    cause,
    policy: extras.policy_id ?? null,
    check: extras.check ?? null,
    fault,
    isLost,
  }
}

export function timesOf(stages: Stages): StageTime[] {
  const times: StageTime[] = []
  eachStage(stages, (name, beginMs, endMs) => times.push({ name, beginMs, endMs }))
  return times
}
