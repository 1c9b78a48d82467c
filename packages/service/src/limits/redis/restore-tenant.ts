import type { AdmittedCall, TenantTruth, Use } from '../truth.js'
import { TenantKeys } from './keys.js'
import { ScriptCall } from './script-call.js'

// Nobody looks at a generation before it is in force, so that a minute of a busy key need not be written in one go, while
// everybody else waits. (A minute with use in each of its
// milliseconds: 0.4 s in all, 5 ms each, measured on a busy machine.)
const usesPerScript = 1_000

/** Writes what receipts used into windows of the loaded generation. */
export function stageUses(tenantId: string, { generation, uses }: TenantTruth): ScriptCall[] {
  const keys = new TenantKeys(tenantId).under(generation)
  return [...sumByMoment(uses)].flatMap(([claimId, { windowMs, amounts }]) => {
    const moments = [...amounts].filter(([, amount]) => amount > 0)
    const calls: ScriptCall[] = []
    for (let start = 0; start < moments.length; start += usesPerScript) {
      const call = new ScriptCall().key(keys.window(claimId)).arg(windowMs)
      call.list(moments.slice(start, start + usesPerScript), ([atMs, amount]) => call.arg(atMs, amount))
      calls.push(call)
    }
    return calls
  })
}

/** Writes down the calls under way, and puts the generation in force. */
export function publishTruth(
  tenantId: string,
  { generation, limitsVersion, open }: TenantTruth,
  token: string,
  now: number | '',
): ScriptCall {
  const tenant = new TenantKeys(tenantId)
  const keys = tenant.under(generation)
  const script = new ScriptCall()
    .key(tenant.generation, tenant.lock, tenant.early)
    .arg(token, now, generation, limitsVersion)
  const holding = open.filter(({ claims, scopes }) => claims.length + scopes.length > 0)
  return script.list(holding, (call) => {
    const { callId, atMs, nanos } = call
    script.key(keys.pass(callId)).arg(callId, atMs, nanos, describeCall(call))
    script.list(call.claims, ({ id, windowMs, unit, amount }) => {
      script.key(keys.window(id)).arg(windowMs, unit, amount)
    })
    script.list(call.scopes, ([type, id]) => script.key(keys.held(type, id)))
  })
}

/** What a pass says of its call: all that is needed to correct its windows and to give its money back. */
export function describeCall({ claims, scopes }: Pick<AdmittedCall, 'claims' | 'scopes'>): string {
  const kept = claims.map(({ id, unit, amount, windowMs }) => ({ id, unit, amount, windowMs }))
  return JSON.stringify({ claims: kept, scopes })
}

interface Amounts {
  readonly windowMs: number
  readonly amounts: Map<number, number>
}

function sumByMoment(uses: readonly Use[]): Map<string, Amounts> {
  const byClaim = new Map<string, Amounts>()
  for (const { claimId, windowMs, atMs, amount } of uses) {
    const known = byClaim.get(claimId) ?? { windowMs, amounts: new Map() }
    byClaim.set(claimId, known)
    known.amounts.set(atMs, (known.amounts.get(atMs) ?? 0) + amount)
  }
  return byClaim
}
