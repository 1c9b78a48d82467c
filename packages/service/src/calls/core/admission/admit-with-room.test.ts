import fc from 'fast-check'
import { expect, test } from 'vitest'
import { propertyRuns } from '../../../../../../test/harness/run/property-runs.js'
import { type AdmissionRequest, type AdmissionStore, createMemoryAdmission } from '../../../limits/index.js'
import { admitWithRoom } from './admit-with-room.js'

const account = { scopeType: 'key' as const, scopeId: 'key_1', startMs: 0, endMs: null }

const createStore = () =>
  createMemoryAdmission({
    loadTenantUsage: async () => ({ generation: 1, limitsVersion: 0, uses: [], openCalls: [] }),
    loadAccountSpend: async (_, accounts) => accounts.map(() => ({ asOfSeq: 0, spentNanos: 0 })),
  })

const claimOf = (unit: 'requests' | 'tokens', limit: number, amount: number) => ({
  ...{ id: `key_1/${unit}`, unit, limit, amount, windowMs: 60_000 },
})

interface Sizes {
  tokens: number
  tokenLimit: number
  nanos: number
  budgetNanos: number
}

const requestOf = (attempt: number, { tokens, tokenLimit, nanos, budgetNanos }: Sizes): AdmissionRequest => ({
  tenantId: 'tenant',
  attemptId: `req_${attempt}`,
  claims: [claimOf('requests', 1_000, 1), claimOf('tokens', tokenLimit, tokens)],
  spend: {
    scopes: [['key', 'key_1']],
    accountLimits: [{ account, limitNanos: budgetNanos }],
    maxNanos: nanos,
    minNanos: 0,
  },
})

async function readUse(store: AdmissionStore) {
  const statuses = await store.readLimitStatuses('tenant', requestOf(0, roomy).claims)
  return { statuses, reservedNanos: await store.readReservedNanos('tenant', account) }
}

const roomy: Sizes = { tokens: 10, tokenLimit: 1_000, nanos: 10, budgetNanos: 1_000 }
const sizes = fc.record({
  tokens: fc.integer({ min: 1, max: 60 }),
  tokenLimit: fc.integer({ min: 1, max: 1_000 }),
  nanos: fc.integer({ min: 1, max: 60 }),
  budgetNanos: fc.integer({ min: 1, max: 1_000 }),
})

test('a coarse reservation is admitted exactly when sixteen of its size would fit and half of the limit stays free, and then reserved whole', async () => {
  await fc.assert(
    fc.asyncProperty(sizes, async (wanted) => {
      const store = createStore()
      const used = { tokens: 0, nanos: 0 }
      for (let attempt = 1; attempt <= 20; attempt++) {
        const fits =
          used.tokens + 16 * wanted.tokens <= wanted.tokenLimit &&
          used.tokens + wanted.tokens <= Math.ceil(wanted.tokenLimit / 2) &&
          used.nanos + 16 * wanted.nanos <= wanted.budgetNanos
        const before = await readUse(store)
        const decision = await admitWithRoom(store, requestOf(attempt, wanted))
        if (!fits) {
          expect(decision).toBeNull()
          expect(await readUse(store)).toMatchObject({
            statuses: before.statuses.map(({ remaining }) => ({ remaining })),
            reservedNanos: before.reservedNanos,
          })
          return
        }
        used.tokens += wanted.tokens
        used.nanos += wanted.nanos
        expect(decision).toMatchObject({
          admitted: true,
          grantedNanos: wanted.nanos,
          limitStatuses: [
            { limit: 1_000, remaining: 1_000 - attempt },
            { limit: wanted.tokenLimit, remaining: wanted.tokenLimit - used.tokens },
          ],
        })
        expect(await store.readReservedNanos('tenant', account)).toBe(used.nanos)
      }
    }),
    { numRuns: propertyRuns },
  )
})

test('a call without limits needs no room', async () => {
  const { spend, ...request } = requestOf(1, roomy)
  const unlimited = { ...request, claims: [], spend: spend && { ...spend, accountLimits: [], minNanos: 10 } }
  expect(await admitWithRoom(createStore(), unlimited)).toMatchObject({ admitted: true, grantedNanos: 10 })
})
