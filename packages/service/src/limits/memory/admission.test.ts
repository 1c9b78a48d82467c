import { expect, it } from 'vitest'
import { propertyRuns } from '../../../../../test/harness/run/property-runs.js'
import type { WindowClaim } from '../contract.js'
import { ask } from '../contract-suite/ask.js'
import { describeAdmissionStore } from '../contract-suite/index.js'
import type { UsageLoader } from '../usage-loader.js'
import { createMemoryAdmission } from './admission.js'

const nothingYet: UsageLoader = {
  loadTenantUsage: async () => ({ generation: 1, limitsVersion: 0, uses: [], openCalls: [] }),
  loadAccountSpend: async (_, accounts) => accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
}

describeAdmissionStore('memory', {
  create: async (usageLoader, clock) => createMemoryAdmission(usageLoader, clock),
  numRuns: propertyRuns,
})

function rpm(key: number): WindowClaim {
  return { id: `key_${key}/rpm`, unit: 'requests', limit: 10, amount: 1, windowMs: 60_000 }
}

it('forgets keys that went quiet while others are busy', async () => {
  let nowMs = 0
  const store = createMemoryAdmission(nothingYet, { now: () => nowMs, epochOffsetMs: () => 0 })
  for (let key = 1; key <= 1000; key++) await ask(store, `tenant_${key % 7}`, [rpm(key)])
  expect(store.countWindows()).toBe(1000)
  for (nowMs = 10_000; nowMs <= 180_000; nowMs += 10_000) await ask(store, 'tenant_busy', [rpm(0)])
  expect(store.countWindows()).toBe(1)
})

it('does not forget a key that is used less often than others within its window', async () => {
  let nowMs = 0
  const store = createMemoryAdmission(nothingYet, { now: () => nowMs, epochOffsetMs: () => 0 })
  for (; nowMs < 600_000; nowMs += 1_000) {
    await ask(store, 'tenant', [rpm(0)])
    if (nowMs % 50_000 !== 0) continue
    const decision = await ask(store, 'tenant', [{ ...rpm(1), limit: 1 }])
    expect(decision.admitted).toBe(nowMs % 100_000 === 0)
  }
})

it('refuses to settle a hold that another store gave', async () => {
  const store = createMemoryAdmission(nothingYet)
  await expect(store.settle({ tenantId: 'tenant' }, {})).rejects.toThrow('another')
})

it('refuses a claim whose window differs from the one its id has', async () => {
  const store = createMemoryAdmission(nothingYet)
  await ask(store, 'tenant', [rpm(1)])
  await expect(ask(store, 'tenant', [{ ...rpm(1), windowMs: 1_000 }])).rejects.toThrow('60000 ms')
})
