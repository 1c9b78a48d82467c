import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { Bench } from './bench.js'
import { CallDriver, rpm, tpm, user } from './call-driver.js'

/** A call counts once, whichever generation it was admitted under and however often the tenant is loaded. */
export function declareGenerations(bench: () => Bench): void {
  const driver = new CallDriver(bench)

  it('leaves no trace of a call that was not made after all', async () => {
    const { store, usageLoader } = bench()
    const claims = { claims: [rpm(1), tpm(1000, 800)], nanos: 60 }
    const given = await driver.admit(store, driver.newAttemptId(), claims)
    const settled = await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 200)], nanos: 30 })
    if (!given.admitted || !settled.admitted) throw new Error('refused')
    await store.settle(settled.hold, { tokens: 150 })
    await store.release(given.hold)
    await store.release(given.hold)
    await store.release(settled.hold)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    const { loads } = usageLoader
    expect(await driver.admit(store, driver.newAttemptId(), { ...claims, nanos: 100 })).toMatchObject({
      admitted: true,
    })
    expect(usageLoader.loads).toBe(loads)
  })

  it('does not count a call twice that has to ask again', async () => {
    const { store, clock, loseState } = bench()
    const claims = { claims: [rpm(1)], nanos: 100 }
    const attemptId = driver.newAttemptId()
    const before = await driver.admit(store, attemptId, claims)
    if (!before.admitted) throw new Error('refused')
    await loseState(driver.tenantId)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    expect(driver.open(attemptId, before, claims)).toBe(false)
    clock.advance(1)
    const after = await driver.admit(store, attemptId, claims, before.generation ?? 0)
    if (!after.admitted) throw new Error('refused')
    expect(after.generation).toBeGreaterThan(before.generation ?? 0)
    expect(driver.open(attemptId, after, claims)).toBe(true)
    await store.settle(before.hold, { tokens: 0 })
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(100)
    expect(await driver.admit(store, driver.newAttemptId(), claims)).toMatchObject({ admitted: false })
    await driver.record(store, { attemptId, atMs: after.atMs }, 100)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
  })

  it('loads again when the generation that it believes in was overtaken elsewhere', async () => {
    const { store, usageLoader } = bench()
    const claims = { claims: [rpm(2)] }
    const attemptId = driver.newAttemptId()
    const before = await driver.admit(store, attemptId, claims)
    if (!before.admitted) throw new Error('refused')
    await usageLoader.loadTenantUsage(driver.tenantId)
    expect(driver.open(attemptId, before, claims)).toBe(false)
    expect(await driver.start(store, claims)).not.toBeNull()
    expect(await driver.start(store, claims)).not.toBeNull()
    expect(await driver.start(store, claims)).toBeNull()
  })

  it('loads a tenant once, however many calls come first', async () => {
    const { usageLoader, replicas } = bench()
    const loadsBefore = usageLoader.loads
    usageLoader.beforeReturn = nextTurn
    const first = Array.from({ length: 50 }, (_, i) =>
      replicas[i % replicas.length]?.admit({
        tenantId: driver.tenantId,
        attemptId: driver.newAttemptId(),
        claims: [rpm(20)],
        spend: null,
      }),
    )
    const decisions = await Promise.all(first)
    expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(20)
    expect(usageLoader.loads).toBe(loadsBefore + 1)
  })

  it('admits no call too many and none too few while everything is lost again and again', async () => {
    const { store, usageLoader, replicas, loseState } = bench()
    const claims = { claims: [rpm(60), tpm(10_000, 100)], nanos: 10, limitNanos: 450 }
    usageLoader.beforeReturn = async () => {
      for (let turns = 0; turns < 5; turns++) await nextTurn()
    }
    let active = true
    const loser = (async () => {
      for (let i = 0; active; i++) {
        for (let turns = 0; turns < 20 + (i % 7) * 10; turns++) await nextTurn()
        if (i % 2 === 0) await loseState(driver.tenantId)
        else await (replicas[i % replicas.length] ?? store).forgetTenant(driver.tenantId)
      }
    })()
    let admitted = 0
    const callers = Array.from({ length: 40 }, async (_, i) => {
      const own = replicas[i % replicas.length] ?? store
      for (let round = 0; round < 4; round++) {
        const call = await driver.start(own, claims)
        if (call === null) continue
        admitted++
        if (i % 3 > 0) await own.settle(call.hold, { tokens: 90 })
        await nextTurn()
        await driver.record(replicas[(i + round) % replicas.length] ?? own, call, i % 5 ? 10 : 5, 90)
      }
    })
    await Promise.all(callers)
    active = false
    await loser
    const spent = usageLoader.sumSpend(driver.tenantId, user)
    expect(spent).toBeLessThanOrEqual(450)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    // Nothing has left the window in the meantime: the clock is not advanced.
    const left = Math.min(60 - admitted, Math.floor((450 - spent) / 10))
    for (let i = 0; i < left; i++) expect(await driver.start(store, claims)).not.toBeNull()
    expect(await driver.start(store, claims)).toBeNull()
  })

  it('counts the calls from before a limit applied, on every replica, each time one begins to apply', async () => {
    const { usageLoader, clock, replicas, store } = bench()
    const used = (atMs: number) => [
      { claimId: 'key_a/rpm', windowMs: 60_000, atMs, amount: 1 },
      { claimId: 'key_a/tpm', windowMs: 60_000, atMs, amount: 50 },
    ]
    const atMs = () => Math.floor(clock.now() + clock.epochOffsetMs())
    // Every replica has loaded the tenant before the limit applies.
    for (const replica of replicas) await driver.admit(replica, driver.newAttemptId(), { nanos: 1 })
    for (let round = 0; round < 2; round++) {
      usageLoader.addUnclaimedUses(driver.tenantId, [...used(atMs()), ...used(atMs())])
      const sinceLimitsVersion = usageLoader.beginLimit(driver.tenantId)
      const claims = [
        { ...rpm(3), sinceLimitsVersion },
        { ...tpm(150, 50), sinceLimitsVersion },
      ]
      for (const replica of replicas) {
        const limitStatuses = await replica.readLimitStatuses(driver.tenantId, claims)
        expect(limitStatuses.map(({ remaining }) => remaining)).toEqual([1, 50])
      }
      const attemptId = driver.newAttemptId()
      const first = await driver.admit(store, attemptId, { claims })
      if (!first.admitted) throw new Error('refused')
      expect(driver.open(attemptId, first, { claims })).toBe(true)
      for (const replica of replicas)
        expect(await driver.admit(replica, driver.newAttemptId(), { claims })).toMatchObject({
          admitted: false,
          reason: 'window',
        })
      await store.countReceipts([
        usageLoader.appendReceipt({
          tenantId: driver.tenantId,
          attemptId,
          nanos: 0,
          tokens: 50,
          atMs: first.atMs,
          scopes: [],
        }),
      ])
      clock.advance(60_001)
    }
  })
}
