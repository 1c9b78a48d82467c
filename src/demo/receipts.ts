import { createHash } from 'node:crypto'
import { idAt } from '../db/index.js'
import type { EntryCheck, NewReceipt, ReceiptDraft } from '../ledger/index.js'
import type { DemoKey } from './company.js'
import { appliesTo, type DemoPolicy, type PolicyName } from './rules.js'
import type { DemoCall } from './settle-calls.js'
import type { Traffic } from './traffic.js'

/** What stands in a record for what the traffic only names. */
export interface DemoIds {
  tenantId: string
  keyId(name: string): string
  teamId(name: string): string
  /** As a receipt names it: the id and its version. */
  policyReference(name: PolicyName): string
  /** Hash of the policy set. */
  policies: string
}

/** The receipts of the traffic, oldest first, one at a time: a million of them need not be in memory as well. */
export function* toReceipts(traffic: Traffic, ids: DemoIds): Generator<NewReceipt> {
  const keys = new Map(traffic.keys.map((key) => [key.name, key]))
  for (const [index, call] of traffic.calls.entries()) {
    const random = createHash('sha256').update(`${ids.tenantId}\n${traffic.seed}\n${index}`).digest()
    const draft = toDraft(call, ids, {
      id: idAt('req', call.atMs, random),
      checks: checksOf(call, { key: keys.get(call.key), policies: traffic.policies, ids }),
    })
    yield { tenantId: ids.tenantId, commitmentKey: null, draft }
  }
}

/** There was no body, so there are no commitments to one. */
function toDraft(call: DemoCall, ids: DemoIds, own: { id: string; checks: EntryCheck[] }): ReceiptDraft {
  const wasAnswered = call.outcome === 'ok' || call.outcome === 'redacted' || call.outcome === 'aborted'
  return {
    ...own,
    ts: new Date(call.atMs).toISOString(),
    kind: 'model',
    key: ids.keyId(call.key),
    ...(call.userId !== null && { user: call.userId }),
    team: ids.teamId(call.team),
    provider: call.provider,
    model: call.asked,
    ...(wasAnswered && { upstream: call.model }),
    inputTokens: call.counts.input ?? 0,
    outputTokens: call.counts.output ?? 0,
    cachedTokens: call.counts.cached ?? 0,
    costNanos: call.costNanos,
    counts: call.counts,
    usage: call.usage,
    ...(call.tier !== null && { tier: call.tier }),
    price: call.priceHash,
    stream: call.stream,
    status: call.status,
    outcome: call.outcome,
    ...(call.latencyMs !== null && { latencyMs: call.latencyMs }),
    ...(call.firstTokenMs !== null && { firstTokenMs: call.firstTokenMs }),
    ...(call.session !== null && { session: call.session }),
    tags: call.tags,
    policies: ids.policies,
  }
}

/** In the order in which the gateway makes them. */
function checksOf(
  call: DemoCall,
  { key, policies, ids }: { key: DemoKey | undefined; policies: readonly DemoPolicy[]; ids: DemoIds },
): EntryCheck[] {
  const hasLimit = key?.rpmLimit !== null || key.tpmLimit !== null
  return [
    plainCheck('rate_limit', hasLimit),
    // Every team has a pool.
    call.isOverBudget
      ? { name: 'budget', applicable: true, result: 'fail', action: 'block' }
      : plainCheck('budget', true),
    plainCheck('user_status', call.userId !== null),
    plainCheck('model_allowlist', key?.allowedModels !== null),
    ...policies
      .filter((policy) => appliesTo(policy, call.team))
      .map(({ name, kind, action }): EntryCheck => {
        const check = { name: kind, policy: ids.policyReference(name) }
        if (call.isOverBudget) return { ...check, applicable: false, result: 'skip' }
        return call.findings.includes(name)
          ? { ...check, applicable: true, result: 'fail', action }
          : { ...check, applicable: true, result: 'pass' }
      }),
  ]
}

const plainCheck = (name: string, applicable: boolean): EntryCheck => ({
  name,
  applicable,
  result: applicable ? 'pass' : 'skip',
})
