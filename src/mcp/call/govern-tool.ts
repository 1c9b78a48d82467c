import { newId } from '../../db/index.js'
import { ApiError, databaseUnavailable, unauthorized } from '../../errors.js'
import {
  admissionChecks,
  budgetExceeded,
  type CallTrace,
  check,
  endedFor,
  formatUsd,
  recordReceipt,
  requireRecord,
  type Stages,
  stageEndsOf,
  startStages,
  windowRefusal,
} from '../../governed/index.js'
import { type Principal, toApiError, userSuspended } from '../../http/index.js'
import { isObject, type JsonObject } from '../../json/index.js'
import type { EntryCheck, Ledger, PriceEntries } from '../../ledger/index.js'
import type { ContentCapture } from '../../modules/content/index.js'
import { type Entitlements, scopeIdsOf } from '../../modules/keys/index.js'
import type { PacksInForce } from '../../modules/packs/index.js'
import { type PolicyJudge, type PolicySets, toolPoliciesOf } from '../../modules/policies/index.js'
import { oneToolCall, toolCallPrice } from '../../pricing/index.js'
import { type AdmitToolParts, admitTool, type ToolDemand } from './admit-tool.js'
import { keepContent } from './content.js'
import type { FinishedTool, RefusedTool, ToolEnd, ToolRequest } from './contract.js'
import { commitToResult, type Ended, type ExchangeParts, endWith, exchange } from './exchange.js'
import { argumentsOf, judgeArguments, type ToolRuling } from './judge.js'
import { type CallingRights, findCallable, fullName, mayUseServer } from './may-call.js'
import { mayPrompt, mayRead } from './may-read.js'
import { writeToolReceipt } from './receipt.js'
import { commitToParams, type ReceivedTool, readObject, readToolFiling } from './received.js'
import { unknownTool } from './rpc-error.js'

export interface ToolCallParts extends AdmitToolParts, ExchangeParts {
  /** What the key of a principal may use; null when it was revoked meanwhile. */
  entitlementsOf(principal: Principal): Promise<Entitlements | null>
  /** False while another process may count calls that this one does not see. */
  mayServe(): boolean
  /** Waits a moment for it to be true again, and tells whether it is. */
  mayServeAgain(): Promise<boolean>
  ledger: Pick<Ledger, 'append' | 'available' | 'faultOf'>
  prices: PriceEntries
  policySets: PolicySets
  packsInForce: PacksInForce
  policies: PolicyJudge
  contentCapture: Pick<ContentCapture, 'termsFor' | 'add'>
  /** Milliseconds that only grow. */
  now(): number
  /** Called once for every call that was let in, when its receipt was written. Must not throw. */
  onFinished(finished: FinishedTool): void
  /** Called once for every call that a rate limit refuses. Must not throw. */
  onRefused(refused: RefusedTool): void
  /** A store of limits that cannot be reached. Must not throw. */
  onError(error: unknown): void
}

/** A server may ask for input so many times before it goes on. */
const maxRounds = 8

/**
 * One governed request to a server, from who makes it to its result: admitted, judged, forwarded, judged, settled and receipted like
 * a call of a model. Rejects with an `ApiError` when it is not let in: then there is no receipt. A server of the newer protocol that
 * asks an older caller for input is asked again with it: each time is an attempt with a receipt of its own.
 */
export async function governTool(
  request: ToolRequest,
  principal: Principal,
  trace: CallTrace | null,
  parts: ToolCallParts,
): Promise<ToolEnd> {
  const stages = startStages(parts.now())
  stages.readMs = stages.arrivedMs
  let received = await receive(request, principal, parts)
  stages.receivedMs = parts.now()
  stages.plannedMs = stages.receivedMs
  for (let number = 1; ; number++) {
    const begun = number === 1 ? stages : beginAgain(parts.now())
    const { ended, end } = await attempt(received, number, begun, trace, parts)
    if (ended.inputRequired === null || request.isModern || 'errorJson' in end) return end
    const paramsJson =
      number < maxRounds ? await withInput(request.paramsJson, ended.inputRequired, request, parts) : null
    if (paramsJson === null) return { errorJson: cannotAnswer, headers: end.headers }
    // Somebody was asked, which takes a while: the rules may be others by now.
    const server = await parts.findServer(request.server.tenantId, request.server.name)
    if (server?.enabled !== true || server.id !== request.server.id)
      throw noSuchThing(request.method, request.name)
    const { id } = received
    received = { ...(await receive({ ...request, server, paramsJson }, principal, parts)), id }
  }
}

const cannotAnswer = JSON.stringify({
  code: -32_000,
  message: 'The server asks for something that this client cannot be asked for',
})

function beginAgain(nowMs: number): Stages {
  return { ...startStages(nowMs), readMs: nowMs, receivedMs: nowMs, plannedMs: nowMs }
}

async function receive(
  request: ToolRequest,
  principal: Principal,
  parts: ToolCallParts,
): Promise<ReceivedTool> {
  const entitlements = await parts.entitlementsOf(principal)
  if (entitlements === null) throw unauthorized()
  const { tenantId } = entitlements
  requireKnown(request)
  const params = await readObject(request.paramsJson, parts.waitForTurn)
  requireRecord(parts.ledger, tenantId)
  if (!parts.mayServe() && !(await parts.mayServeAgain()))
    throw databaseUnavailable('Another process may be serving this database; nothing was forwarded')
  const policySet = await parts.policySets.current(tenantId)
  return {
    id: newId('req'),
    request,
    paramsJson: request.paramsJson,
    params,
    entitlements,
    ...readToolFiling(request, entitlements.key.tags),
    ...(await commitToParams(request.paramsJson, parts.waitForTurn)),
    priceHash: await parts.prices.ensure(tenantId, toolCallPrice(request.server.priceNanos)),
    policies: policySet.hash,
    selection: toolPoliciesOf(policySet.selectFor(scopeIdsOf(entitlements))),
    packs: await parts.packsInForce.current(tenantId),
    content: await parts.contentCapture.termsFor(tenantId),
    receivedAt: new Date(),
  }
}

/** A tool that its server does not have is no call. One that it has, and the caller may not call, is a call that is refused. */
function requireKnown({ method, server, name }: ToolRequest): void {
  if (method === 'tools/call' && !server.tools.some((tool) => tool.name === name))
    throw noSuchThing(method, name)
}

const noSuchThing = (method: ToolRequest['method'], name: string): ApiError =>
  unknownTool(`Unknown ${kindOf[method]}: ${name}`)
const kindOf = {
  'tools/call': 'tool',
  'resources/read': 'resource',
  'prompts/get': 'prompt',
  'completion/complete': 'prompt or resource',
}

interface Attempted {
  ended: Ended
  end: ToolEnd
}

async function attempt(
  given: ReceivedTool,
  number: number,
  stages: Stages,
  trace: CallTrace | null,
  parts: ToolCallParts,
): Promise<Attempted> {
  const { request } = given
  const { server, method } = request
  const { entitlements, demanded, decision, fault } = await admitTool(given, number, parts)
  stages.admittedMs = parts.now()
  if (!decision.admitted && decision.reason === 'window') {
    const error = windowRefusal(decision)
    parts.onRefused({ id: given.id, method, server, tool: request.name, entitlements, error, stages, trace })
    throw error
  }

  // From here on no step may throw: whatever happens, the attempt is settled and receipted, once.
  const received = { ...given, entitlements }
  const overBudget = decision.admitted ? null : budgetExceeded(decision, demanded)
  const { checks, ended, forwarded } = await answer(received, demanded, { overBudget, fault }, stages, parts)
  const endedMs = parts.now()
  if (Number.isNaN(stages.guardedMs)) stages.guardedMs = endedMs
  if (forwarded !== null) stages.answeredMs = endedMs
  const latencyMs = endedMs - stages.readMs
  if (decision.admitted)
    await parts.admission.settle(decision.pass, { tokens: 0 }).catch((error) => parts.onError(error))
  stages.settledMs = parts.now()

  const costNanos = ended.isSent ? server.priceNanos : 0
  const receipt = writeToolReceipt(received, {
    number,
    admittedAtMs: decision.atMs,
    latencyMs,
    checks,
    status: ended.status,
    outcome: ended.outcome,
    fault: ended.error?.serviceFault ?? null,
    counts: ended.isSent ? oneToolCall : {},
    costNanos,
    usage: 'counted',
    response: await commitToResult(received.commitmentKey, ended, parts.waitForTurn),
    toolError: ended.toolError,
    rpcCode: ended.rpcCode,
  })
  const { seq, fault: lost } = await recordReceipt(
    { ...receipt, stageEnds: stageEndsOf(stages) },
    parts.ledger,
  )
  stages.recordedMs = parts.now()
  if (lost === null && received.content !== null)
    keepContent(
      received.content,
      received,
      { number, forwarded: forwarded?.json ?? null, ended },
      parts.contentCapture,
    )
  const { draft } = receipt
  const { error } = ended
  parts.onFinished({ method, server, entitlements, draft, seq, fault: lost, error, stages, latencyMs, trace })
  return { ended, end: deliver(ended, lost, seq, costNanos) }
}

/** A result is only seen by a caller whose receipt is durable. */
function deliver({ given }: Ended, lost: ApiError | null, seq: number | null, costNanos: number): ToolEnd {
  if (lost !== null) return { ...asError(lost), headers: {} }
  const headers = {
    'x-tallystick-cost-usd': formatUsd(costNanos),
    ...(seq !== null && { 'x-tallystick-receipt': String(seq) }),
  }
  return { ...(given ?? asError(callerIsGone)), headers }
}

const asError = (error: ApiError) => ({
  errorJson: JSON.stringify({ code: -32_000, message: error.message, data: error.toBody().error }),
})
const callerIsGone = new ApiError('unavailable', 'The caller hung up')

interface Obstacles {
  overBudget: ApiError | null
  fault: ApiError | null
}

/** Guards the call and forwards it. After a fault of this service nothing is forwarded. */
async function answer(
  received: ReceivedTool,
  demanded: ToolDemand,
  { overBudget, fault }: Obstacles,
  stages: Stages,
  parts: ToolCallParts,
): Promise<{ checks: EntryCheck[]; ended: Ended; forwarded: ToolRuling | null }> {
  const { request, entitlements, selection } = received
  const refused = (checks: EntryCheck[], error: ApiError) => ({
    checks,
    ended: endWith(error, 'blocked'),
    forwarded: null,
  })
  try {
    const isSuspended = entitlements.user?.suspended === true
    const isAllowed = mayMake(received, { entitlements, selection })
    const checks: EntryCheck[] = [
      ...admissionChecks(demanded, { overBudget }),
      check('userStatus', entitlements.user !== null, !isSuspended),
      check('toolAllowlist', true, isAllowed),
      ...unapproved(request),
    ]
    if (isSuspended) return refused(checks, userSuspended())
    if (!isAllowed) return refused(checks, noSuchThing(request.method, request.name))
    if (fault !== null || overBudget !== null) return refused(checks, (fault ?? overBudget) as ApiError)
    const ruling = await judgeArguments(
      parts.policies,
      selection,
      {
        id: received.id,
        entitlements,
        server: request.server.name,
        fullName: fullName(request.server, request.name),
        name: request.name,
        arguments: argumentsOf(received.params),
        tags: received.tags,
        session: received.session,
      },
      received.paramsJson,
    )
    stages.guardedMs = parts.now()
    if (ruling.refusal !== null) return refused([...checks, ...ruling.checks()], ruling.refusal)
    const ended = await exchange(received, ownerOf(received), ruling, parts)
    stages.forwardedMs = parts.now()
    const bound = ended.exceeded === null ? [] : [endedFor(ended.exceeded)]
    return { checks: [...checks, ...ruling.checks(), ...bound], ended, forwarded: ruling }
  } catch (error) {
    return refused([], toApiError(error))
  }
}

/** Whether this caller may make this request. */
function mayMake({ request, params }: ReceivedTool, rights: CallingRights): boolean {
  const { method, server, name } = request
  if (method === 'tools/call') return findCallable(server, name, rights) !== null
  if (!mayUseServer(server, rights)) return false
  const isOfResource =
    method === 'resources/read' || (isObject(params.ref) && params.ref.type === 'ref/resource')
  return isOfResource ? mayRead(name, server.resources) : mayPrompt(name, server.prompts)
}

/** Pinning only warns: the tool is not what was approved. */
function unapproved({ method, server, name }: ToolRequest): EntryCheck[] {
  const tool = method === 'tools/call' ? server.tools.find((each) => each.name === name) : undefined
  return tool?.isUnapproved === true
    ? [{ name: 'tool_pin', applicable: true, result: 'fail', action: 'flag' }]
    : []
}

const ownerOf = ({ request, entitlements }: ReceivedTool) => {
  const { tenantId, keyId, userId } = scopeIdsOf(entitlements)
  return { tenantId, keyId, userId, session: request.session, authorization: request.authorization }
}

/** The params with what the caller answers to a server's questions; null where it cannot be asked. */
async function withInput(
  paramsJson: string,
  required: JsonObject,
  { line }: ToolRequest,
  parts: Pick<ToolCallParts, 'waitForTurn'>,
): Promise<string | null> {
  const { ask } = line
  const { inputRequests, requestState } = required
  if (ask === null || !isObject(inputRequests)) return null
  const responses: [string, unknown][] = []
  for (const [id, question] of Object.entries(inputRequests)) {
    if (!isObject(question) || typeof question.method !== 'string') return null
    const reply = await readObject(
      await ask(question.method, JSON.stringify(question.params ?? {})),
      parts.waitForTurn,
    )
    if (!isObject(reply.result)) return null
    responses.push([id, reply.result])
  }
  const members = [`"inputResponses":${JSON.stringify(Object.fromEntries(responses))}`]
  if (requestState !== undefined) members.push(`"requestState":${JSON.stringify(requestState)}`)
  // What else there is stays as it was written.
  const end = paramsJson.lastIndexOf('}')
  return `${paramsJson.slice(0, end)},${members.join(',')}}`
}
