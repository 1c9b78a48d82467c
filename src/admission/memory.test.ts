import { expect, it } from 'vitest'
import type { Claim } from './contract.js'
import { describeAdmissionStore } from './contract-suite/index.js'
import { createMemoryAdmission } from './memory.js'

describeAdmissionStore('memory', async (clock) => createMemoryAdmission(clock))

function rpm(key: number): Claim {
  return { id: `key_${key}/rpm`, unit: 'requests', limit: 10, amount: 1, windowMs: 60_000 }
}

it('forgets keys that went quiet while others are busy', async () => {
  let nowMs = 0
  const store = createMemoryAdmission({ now: () => nowMs })
  for (let key = 1; key <= 1000; key++) await store.admit(`tenant_${key % 7}`, [rpm(key)])
  expect(store.countWindows()).toBe(1000)
  for (nowMs = 10_000; nowMs <= 180_000; nowMs += 10_000) await store.admit('tenant_busy', [rpm(0)])
  expect(store.countWindows()).toBe(1)
})

it('does not forget a key that is used less often than others within its window', async () => {
  let nowMs = 0
  const store = createMemoryAdmission({ now: () => nowMs })
  for (; nowMs < 600_000; nowMs += 1_000) {
    await store.admit('tenant', [rpm(0)])
    if (nowMs % 50_000 !== 0) continue
    const decision = await store.admit('tenant', [{ ...rpm(1), limit: 1 }])
    expect(decision.admitted).toBe(nowMs % 100_000 === 0)
  }
})

it('refuses to settle a pass that another store gave', async () => {
  const store = createMemoryAdmission({ now: () => 0 })
  await expect(store.settle({ tenantId: 'tenant' }, {})).rejects.toThrow('another')
})

it('refuses a claim whose window differs from the one its id has', async () => {
  const store = createMemoryAdmission({ now: () => 0 })
  await store.admit('tenant', [rpm(1)])
  await expect(store.admit('tenant', [{ ...rpm(1), windowMs: 1_000 }])).rejects.toThrow('60000 ms')
})
