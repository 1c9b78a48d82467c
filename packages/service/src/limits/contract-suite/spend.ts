import fc from 'fast-check'
import { beforeEach, expect, it } from 'vitest'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { AdmissionStore, Decision, Hold, SpendRequest } from '../contract.js'
import type { Bench } from './bench.js'
import type { InMemoryUsageLoader } from './in-memory-usage-loader.js'

const user: SpendAccount = { scopeType: 'user', scopeId: 'ada', startMs: 0, endMs: Number.MAX_SAFE_INTEGER }
const wholeTenant: SpendAccount = { scopeType: 'tenant', scopeId: 'all', startMs: 0, endMs: null }
const scopes = [
  ['user', 'ada'],
  ['tenant', 'all'],
] as const

const want = (
  maxNanos: number,
  accountLimits: SpendRequest['accountLimits'],
  minNanos = maxNanos,
): SpendRequest => ({
  scopes,
  accountLimits,
  maxNanos,
  minNanos,
})
const under = (limitNanos: number, account = user) => ({ account, limitNanos })

export function declareSpend(bench: () => Bench, numRuns: number): void {
  let tenantId = ''
  let calls = 0
  let store: AdmissionStore
  let usageLoader: InMemoryUsageLoader

  beforeEach(() => {
    store = bench().store
    usageLoader = bench().usageLoader
    tenantId = bench().newTenant()
    usageLoader.beforeReturn = async () => undefined
  })

  const newCall = () => `req_spend_${++calls}`
  const admit = (spend: SpendRequest, attemptId = newCall()) =>
    store.admit({ tenantId, attemptId, claims: [], spend })

  /** The call's receipt reaches the record, and the store is reported. */
  async function record(attemptId: string, nanos: number, atMs = 10, tell = true): Promise<void> {
    const receipt = usageLoader.appendReceipt({ tenantId, attemptId, nanos, tokens: 0, atMs, scopes })
    if (tell) await store.countReceipts([receipt])
  }

  it('lets 50 concurrent calls spend no more than a budget that fits one', async () => {
    const decisions = await Promise.all(Array.from({ length: 50 }, () => admit(want(100, [under(150)]))))
    expect(decisions.filter((decision) => decision.admitted)).toHaveLength(1)
    expect(await store.readReservedNanos(tenantId, user)).toBe(100)
  })

  it('takes money from all accounts or from none, and names the one that refused', async () => {
    const decision = await admit(want(100, [under(1_000, wholeTenant), under(99)]))
    expect(decision).toMatchObject({
      admitted: false,
      reason: 'spend',
      refusal: { accountLimit: under(99), usedNanos: 0 },
    })
    expect(await store.readReservedNanos(tenantId, wholeTenant)).toBe(0)
  })

  it('keeps scopes apart, whatever characters callers chose for their ids', async () => {
    const ids = [
      'run 1',
      'run:1',
      'run{1}',
      'run',
      '',
      'env=a',
      'env=a\u0000',
      'überblick',
      '"',
      '*',
      '%s',
      'tag:run',
    ]
    const odd = (['session', 'tag'] as const).flatMap((type) => ids.map((id) => [type, id] as const))
    for (const [scopeType, scopeId] of odd) {
      const account = { scopeType, scopeId, startMs: 0, endMs: null }
      const spend = {
        scopes: [[scopeType, scopeId]] as const,
        accountLimits: [under(100, account)],
        maxNanos: 60,
        minNanos: 60,
      }
      expect(await admit(spend)).toMatchObject({ admitted: true })
      expect(await admit(spend)).toMatchObject({ admitted: false, refusal: { usedNanos: 60 } })
      expect(await store.readReservedNanos(tenantId, account)).toBe(60)
    }
  })

  it('grants what is left when that is still of use', async () => {
    await admit(want(70, [under(100)]))
    expect(await admit(want(80, [under(100)], 20))).toMatchObject({ admitted: true, grantedNanos: 30 })
    expect(await admit(want(80, [under(100)], 1))).toMatchObject({ admitted: false, reason: 'spend' })
  })

  it('holds all that was granted until the receipt is counted, and then counts what it cost once', async () => {
    const attemptId = newCall()
    const decision = await admit(want(100, [under(100)]), attemptId)
    await store.settle(holdOf(decision), { tokens: 1 })
    expect(await store.readReservedNanos(tenantId, user)).toBe(100)
    expect(await admit(want(1, [under(100)]))).toMatchObject({ admitted: false })
    await record(attemptId, 40)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(want(61, [under(100)]))).toMatchObject({
      admitted: false,
      refusal: { usedNanos: 40 },
    })
    expect(await admit(want(60, [under(100)]))).toMatchObject({ admitted: true })
  })

  it('knows what was spent before it was asked for the first time', async () => {
    await record('req_before', 90, 10, false)
    expect(await admit(want(11, [under(100)]))).toMatchObject({
      admitted: false,
      refusal: { usedNanos: 90 },
    })
  })

  it('counts receipts once that are written while the tenant and then the sums are being read', async () => {
    let meanwhile = 0
    usageLoader.beforeReturn = () => record(`req_meanwhile_${++meanwhile}`, 30)
    await record('req_before', 30, 10, false)
    expect(await admit(want(11, [under(100)]))).toMatchObject({
      admitted: false,
      refusal: { usedNanos: 90 },
    })
    expect(meanwhile).toBe(2)
  })

  it('counts a receipt once whose news comes after the sums that have it', async () => {
    const append = (attemptId: string) =>
      usageLoader.appendReceipt({
        tenantId,
        attemptId,
        nanos: 30,
        tokens: 0,
        atMs: 10,
        scopes: [['user', 'ada']],
      })
    const beforeTenant = append('req_before_tenant')
    await admit(want(1, [under(100, wholeTenant)]))
    const beforeSums = append('req_before_sums')
    await admit(want(1, [under(100)]))
    await store.countReceipts([beforeTenant, beforeSums])
    expect(await admit(want(40, [under(100)]))).toMatchObject({
      admitted: false,
      refusal: { usedNanos: 62 },
    })
  })

  it('counts a call that made no claim on the account', async () => {
    await admit(want(1, [under(100)]))
    await record('req_without_claim', 95)
    expect(await admit(want(5, [under(100)]))).toMatchObject({ admitted: false, refusal: { usedNanos: 96 } })
  })

  it('counts what calls under way may cost in a limit that is made while they run', async () => {
    const attemptId = newCall()
    await admit(want(60, []), attemptId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(60)
    expect(await admit(want(41, [under(100)]))).toMatchObject({ admitted: false, refusal: { usedNanos: 60 } })
    const day: SpendAccount = { ...user, endMs: 86_400_000 }
    expect(await admit(want(41, [under(100, day)]))).toMatchObject({ refusal: { usedNanos: 60 } })
    expect(await admit(want(40, [under(100, day)]))).toMatchObject({ admitted: true })
    await record(attemptId, 10)
    expect(await admit(want(51, [under(100, wholeTenant)]))).toMatchObject({ refusal: { usedNanos: 50 } })
    expect(await admit(want(50, [under(100, wholeTenant)]))).toMatchObject({ admitted: true })
  })

  it('does not count a call under way in a period that it was not admitted in', async () => {
    await admit(want(60, []))
    const tomorrow: SpendAccount = { ...user, startMs: 86_400_000, endMs: 2 * 86_400_000 }
    expect(await store.readReservedNanos(tenantId, tomorrow)).toBe(0)
    expect(await store.readReservedNanos(tenantId, { ...user, endMs: 86_400_000 })).toBe(60)
  })

  it('refuses a limit on a scope that the call is not in', async () => {
    const stranger: SpendAccount = { ...user, scopeId: 'bob' }
    await expect(admit(want(1, [under(100, stranger)]))).rejects.toThrow('none of its scopes')
  })

  it('counts a receipt in the period in which its call was admitted', async () => {
    const startMs = Math.floor(bench().clock.now())
    const next: SpendAccount = { ...user, startMs, endMs: startMs + 1_000_000 }
    await admit(want(1, [under(100, next)]))
    await record('req_last_period', 95, startMs - 1)
    expect(await admit(want(99, [under(100, next)]))).toMatchObject({ admitted: true })
  })

  it('takes nothing for a period that is over or has not begun, and says what time it is', async () => {
    const nowMs = Math.floor(bench().clock.now())
    const outOfPeriod = { admitted: false, reason: 'period', atMs: nowMs }
    const past: SpendAccount = { ...user, endMs: nowMs }
    const future: SpendAccount = { ...user, startMs: nowMs + 1 }
    const begun: SpendAccount = { ...user, startMs: nowMs }
    expect(await admit(want(1, [under(9, wholeTenant), under(9, past)]))).toMatchObject(outOfPeriod)
    expect(await admit(want(1, [under(9, future), under(9, wholeTenant)]))).toMatchObject(outOfPeriod)
    expect(await store.readReservedNanos(tenantId, wholeTenant)).toBe(0)
    expect(await admit(want(1, [under(9, begun)]))).toMatchObject({ admitted: true, atMs: nowMs })
  })

  it('reserves once on an account that two budgets look at', async () => {
    const attemptId = newCall()
    await admit(want(60, [under(100), under(1_000)]), attemptId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(60)
    expect(await admit(want(40, [under(1_000), under(100)]))).toMatchObject({ admitted: true })
    await record(attemptId, 60)
    expect(await store.readReservedNanos(tenantId, user)).toBe(40)
  })

  it('counts a receipt once that it is reported twice', async () => {
    const attemptId = newCall()
    await admit(want(10, [under(100)]), attemptId)
    const scopes = [['user', 'ada']] as const
    const own = usageLoader.appendReceipt({ tenantId, attemptId, nanos: 10, tokens: 0, atMs: 10, scopes })
    const other = usageLoader.appendReceipt({
      tenantId,
      attemptId: 'req_no_pass',
      nanos: 20,
      tokens: 0,
      atMs: 10,
      scopes,
    })
    await Promise.all([
      store.countReceipts([other, own]),
      store.countReceipts([own, other]),
      store.countReceipts([other]),
    ])
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(want(71, [under(100)]))).toMatchObject({ refusal: { usedNanos: 30 } })
  })

  it('takes no money when a window refuses, and no place in a window when money does', async () => {
    const rpm = { id: 'key/rpm', unit: 'requests', limit: 1, amount: 1, windowMs: 60_000 } as const
    const ask = (spend: SpendRequest) => store.admit({ tenantId, attemptId: newCall(), claims: [rpm], spend })
    expect(await ask(want(101, [under(100)]))).toMatchObject({ admitted: false, reason: 'spend' })
    expect(await ask(want(10, [under(100)]))).toMatchObject({ admitted: true })
    expect(await ask(want(10, [under(100)]))).toMatchObject({ admitted: false, reason: 'window' })
    expect(await store.readReservedNanos(tenantId, user)).toBe(10)
  })

  it('refuses to decide while the sums cannot be read, and recovers', async () => {
    usageLoader.beforeReturn = async () => {
      throw new Error('the database is away')
    }
    await expect(admit(want(1, [under(100)]))).rejects.toThrow('away')
    usageLoader.beforeReturn = async () => undefined
    expect(await admit(want(1, [under(100)]))).toMatchObject({ admitted: true })
  })

  it('never passes a limit, and agrees with the record, whatever the order of events', async () => {
    const step = fc.record({
      most: fc.integer({ min: 1, max: 60 }),
      share: fc.integer({ min: 0, max: 100 }),
      end: fc.integer({ min: 0, max: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 200 }),
        async (steps, limit) => {
          tenantId = bench().newTenant()
          const open: { attemptId: string; hold: Hold; cost: number }[] = []
          for (const { most, share, end } of steps) {
            const attemptId = newCall()
            const decision = await admit(
              want(most, [under(limit), under(limit * 2, wholeTenant)], 1),
              attemptId,
            )
            if (decision.admitted) {
              const cost = Math.floor(((decision.grantedNanos ?? 0) * share) / 100)
              open.push({ attemptId, hold: decision.hold, cost })
            }
            for (const call of open.splice(0, end)) {
              await store.settle(call.hold, {})
              await record(call.attemptId, call.cost)
            }
            const held = await store.readReservedNanos(tenantId, user)
            expect(usageLoader.sumSpend(tenantId, user) + held).toBeLessThanOrEqual(limit)
          }
          for (const call of open) {
            await store.settle(call.hold, {})
            await record(call.attemptId, call.cost)
          }
          expect(await store.readReservedNanos(tenantId, user)).toBe(0)
          const left = limit - usageLoader.sumSpend(tenantId, user)
          if (left > 0) expect(await admit(want(left, [under(limit)]))).toMatchObject({ admitted: true })
          expect(await admit(want(1, [under(limit)]))).toMatchObject({ admitted: false })
        },
      ),
      { numRuns: Math.ceil(numRuns / 4) },
    )
  })
}

function holdOf(decision: Decision): Hold {
  if (!decision.admitted) throw new Error('refused')
  return decision.hold
}
