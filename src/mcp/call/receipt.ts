import type { ServiceFault } from '../../errors.js'
import {
  attemptIdOf,
  type EntryCheck,
  type EntryOutcome,
  type NewReceipt,
  type ReceiptDraft,
  toolFacts,
  type UsageSource,
} from '../../ledger/index.js'
import { scopeIdsOf } from '../../modules/keys/index.js'
import type { Counts } from '../../pricing/index.js'
import type { ReceivedTool } from './received.js'

/** What came of a call of a tool. */
export interface ToolOutcome {
  /** Which attempt it was, from 1. */
  number: number
  admittedAtMs: number
  latencyMs: number | null
  checks: EntryCheck[]
  status: number
  outcome: EntryOutcome
  /** Of a call that failed here. */
  fault: ServiceFault | null
  counts: Counts
  costNanos: number
  usage: UsageSource
  /** Commitment to what the caller is given. */
  response: string | null
  /** The result says of itself that it is an error. */
  toolError: boolean
  /** Of a protocol error. */
  rpcCode: number | null
}

/** `ts` is the moment of admission, as for calls of models. */
export function writeToolReceipt(received: ReceivedTool, ended: ToolOutcome): NewReceipt {
  const { id, request, session, agent, tags, packs, commitmentKey } = received
  const { tenantId, keyId, userId, teamId } = scopeIdsOf(received.entitlements)
  const draft: ReceiptDraft = {
    id: attemptIdOf(id, ended.number),
    ts: new Date(ended.admittedAtMs).toISOString(),
    ...toolFacts({ server: request.server.name, tool: request.name, method: request.method }),
    key: keyId,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    costNanos: ended.costNanos,
    counts: ended.counts,
    usage: ended.usage,
    price: received.priceHash,
    stream: false,
    status: ended.status,
    outcome: ended.outcome,
    request: received.commitment,
    policies: received.policies,
    checks: ended.checks,
  }
  if (ended.fault !== null) draft.fault = ended.fault
  if (ended.number > 1) {
    draft.call = id
    draft.attempt = ended.number
  }
  if (userId !== null) draft.user = userId
  if (teamId !== null) draft.team = teamId
  if (session !== null) draft.session = session
  if (agent !== null) draft.agent = agent
  if (Object.keys(tags).length > 0) draft.tags = tags
  if (ended.latencyMs !== null) draft.latencyMs = Math.round(ended.latencyMs)
  if (ended.response !== null) draft.response = ended.response
  if (ended.toolError) draft.toolError = true
  if (ended.rpcCode !== null) draft.rpcCode = ended.rpcCode
  if (received.content !== null) draft.content = received.content.mode
  if (packs.length > 0) draft.packs = [...packs]
  return { tenantId, commitmentKey, draft }
}
