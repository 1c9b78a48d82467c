import type { RecordedUse, TenantUsage } from '../usage-loader.js'
import { serializeCall } from './hold.js'
import { TenantKeys } from './keys.js'
import { ScriptCall } from './script-call.js'

// No script reads a generation before it is published, so the usage of a busy key is written in several steps, between which other
// scripts run. Measured on a busy machine for a minute with usage in every millisecond: 0.4 s in all, 5 ms for each step.
const usesPerScript = 1_000

/** Returns the calls of `write-uses.lua` that write recorded usage into the windows of an unpublished generation. */
export function writeUses(tenantId: string, { generation, uses }: TenantUsage): ScriptCall[] {
  const keys = new TenantKeys(tenantId).ofGeneration(generation)
  return [...sumByMillisecond(uses)].flatMap(([claimId, { windowMs, amounts }]) => {
    const buckets = [...amounts].filter(([, amount]) => amount > 0)
    const calls: ScriptCall[] = []
    for (let start = 0; start < buckets.length; start += usesPerScript) {
      const call = new ScriptCall().addKeys(keys.window(claimId)).addArguments(windowMs)
      call.addList(buckets.slice(start, start + usesPerScript), ([atMs, amount]) =>
        call.addArguments(atMs, amount),
      )
      calls.push(call)
    }
    return calls
  })
}

/** Returns the call of `publish-generation.lua` that writes the holds of open calls and makes the generation the current one. */
export function publishGeneration(
  tenantId: string,
  { generation, limitsVersion, openCalls }: TenantUsage,
  token: string,
  now: number | '',
): ScriptCall {
  const tenant = new TenantKeys(tenantId)
  const keys = tenant.ofGeneration(generation)
  const script = new ScriptCall()
    .addKeys(tenant.generation, tenant.lock, tenant.pendingReceipts)
    .addArguments(token, now, generation, limitsVersion)
  const held = openCalls.filter(({ claims, scopes }) => claims.length + scopes.length > 0)
  return script.addList(held, (call) => {
    const { attemptId, atMs, nanos } = call
    script.addKeys(keys.hold(attemptId)).addArguments(attemptId, atMs, nanos, serializeCall(call))
    script.addList(call.claims, ({ id, windowMs, unit, amount }) => {
      script.addKeys(keys.window(id)).addArguments(windowMs, unit, amount)
    })
    script.addList(call.scopes, ([type, id]) => script.addKeys(keys.reserved(type, id)))
  })
}

interface WindowUse {
  readonly windowMs: number
  /** The amount by millisecond. */
  readonly amounts: Map<number, number>
}

function sumByMillisecond(uses: readonly RecordedUse[]): Map<string, WindowUse> {
  const byClaim = new Map<string, WindowUse>()
  for (const { claimId, windowMs, atMs, amount } of uses) {
    const window = byClaim.get(claimId) ?? { windowMs, amounts: new Map() }
    byClaim.set(claimId, window)
    window.amounts.set(atMs, (window.amounts.get(atMs) ?? 0) + amount)
  }
  return byClaim
}
