import { expect, it } from 'vitest'
import type { Bench } from './bench.js'
import { CallDriver, rpm, scopes, tpm, user } from './call-driver.js'

/** A store that has lost its state decides as if it had not. */
export function declareStateLoss(bench: () => Bench): void {
  const driver = new CallDriver(bench)

  it('knows calls of the last minute again, and when they leave it', async () => {
    const { store, clock, loseState } = bench()
    clock.align()
    const first = await driver.startAdmitted({ claims: [rpm(2)] })
    clock.advance(10_000)
    await driver.startAdmitted({ claims: [rpm(2)] })
    await driver.record(store, first, 0)
    clock.advance(10_000)
    await loseState(driver.tenantId)
    const refused = await driver.admit(store, driver.newAttemptId(), { claims: [rpm(2)] })
    expect(refused).toMatchObject({ admitted: false, reason: 'window', retryAfterSeconds: 41 })
    clock.advance(39_999)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [rpm(2)] })).toMatchObject({
      admitted: false,
    })
    clock.advance(2)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [rpm(2)] })).toMatchObject({
      admitted: true,
    })
  })

  it('counts what it knows again not a moment shorter than it did', async () => {
    const { store, clock, loseState } = bench()
    clock.align()
    clock.advance(0.625)
    const recorded = await driver.startAdmitted({ claims: [rpm(2)] })
    await driver.startAdmitted({ claims: [rpm(2)] })
    await driver.record(store, recorded, 0)
    await loseState(driver.tenantId)
    clock.advance(59_999.875)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [rpm(1)] })).toMatchObject({
      admitted: false,
    })
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [rpm(2)] })).toMatchObject({
      admitted: false,
    })
    clock.advance(1)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [rpm(1)] })).toMatchObject({
      admitted: true,
    })
  })

  it('knows a busy minute again, millisecond by millisecond', async () => {
    const { store, clock, usageLoader, loseState } = bench()
    clock.align()
    const { atMs, generation } = await driver.startAdmitted({ claims: [rpm(5_000)] })
    for (let call = 1; call < 3_000; call++) {
      const attemptId = driver.newAttemptId()
      usageLoader.openCall(
        driver.tenantId,
        { attemptId, atMs: atMs + call, claims: [rpm(5_000)], scopes: [], nanos: 0 },
        generation,
      )
      if (call % 50 > 0)
        usageLoader.appendReceipt({
          tenantId: driver.tenantId,
          attemptId,
          nanos: 0,
          tokens: 0,
          atMs: atMs + call,
          scopes,
        })
    }
    await loseState(driver.tenantId)
    clock.advance(60_000)
    for (const gone of [0, 1, 500, 1_500, 2_998]) {
      clock.advance(Math.floor(atMs + 60_001 + gone) - clock.now())
      const decision = await driver.admit(store, driver.newAttemptId(), {
        claims: [{ ...rpm(5_000), amount: 0 }],
      })
      expect(decision.limitStatuses[0]?.remaining).toBe(5_000 - 2_999 + gone)
    }
  })

  it('knows again what calls under way hold, and lets it go with their receipts', async () => {
    const { store, loseState } = bench()
    const call = await driver.startAdmitted({ nanos: 60 })
    await loseState(driver.tenantId)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(60)
    expect(await driver.admit(store, driver.newAttemptId(), { nanos: 41 })).toMatchObject({
      refusal: { usedNanos: 60 },
    })
    await driver.record(store, call, 50)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    expect(await driver.admit(store, driver.newAttemptId(), { nanos: 50 })).toMatchObject({ admitted: true })
  })

  it('settles a call that was admitted before everything was lost', async () => {
    const { store, loseState } = bench()
    const call = await driver.startAdmitted({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(driver.tenantId)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 201)] })).toMatchObject({
      admitted: false,
    })
    await store.settle(call.hold, { tokens: 700 })
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(60)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 300)] })).toMatchObject({
      admitted: true,
    })
  })

  it('corrects by its receipt a call whose settling was lost', async () => {
    const { store, loseState } = bench()
    const call = await driver.startAdmitted({ claims: [tpm(1000, 800)] })
    await store.settle(call.hold, { tokens: 700 })
    await loseState(driver.tenantId)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 201)] })).toMatchObject({
      admitted: false,
    })
    await driver.record(store, call, 0, 700)
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 300)] })).toMatchObject({
      admitted: true,
    })
  })

  it('is not confused by a call that is settled while nothing is known of it', async () => {
    const { store, loseState } = bench()
    const call = await driver.startAdmitted({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(driver.tenantId)
    await store.settle(call.hold, { tokens: 700 })
    await driver.record(store, call, 40, 700)
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    expect(
      await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 300)], nanos: 60 }),
    ).toMatchObject({
      admitted: true,
    })
  })

  it('counts a receipt once that is reported while the usageLoader is being read', async () => {
    const { store, replicas, usageLoader, loseState } = bench()
    const call = await driver.startAdmitted({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(driver.tenantId)
    usageLoader.beforeReturn = async () => {
      usageLoader.beforeReturn = async () => undefined
      await driver.record(replicas.at(-1) ?? store, call, 50, 100)
    }
    expect(await driver.admit(store, driver.newAttemptId(), { claims: [tpm(1000, 900)] })).toMatchObject({
      admitted: true,
    })
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    expect(await driver.admit(store, driver.newAttemptId(), { nanos: 50 })).toMatchObject({ admitted: true })
  })

  it('begins again when it has to forget what is just being loaded', async () => {
    const { store, replicas, usageLoader, loseState } = bench()
    const { attemptId, atMs } = await driver.startAdmitted({ nanos: 60 })
    await loseState(driver.tenantId)
    usageLoader.beforeReturn = async () => {
      usageLoader.beforeReturn = async () => undefined
      // Another process writes the receipt and dies before it reports it.
      usageLoader.appendReceipt({ tenantId: driver.tenantId, attemptId, nanos: 50, tokens: 0, atMs, scopes })
      await (replicas.at(-1) ?? store).forgetTenant(driver.tenantId)
    }
    expect(await store.readReservedNanos(driver.tenantId, user)).toBe(0)
    expect(await driver.admit(store, driver.newAttemptId(), { nanos: 50 })).toMatchObject({ admitted: true })
  })
}
