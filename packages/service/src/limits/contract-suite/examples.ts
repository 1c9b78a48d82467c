import { expect, it } from 'vitest'
import type { Admitted, RefusedByWindow, WindowClaim } from '../contract.js'
import { ask } from './ask.js'
import type { Bench } from './bench.js'

function rpm(limit: number, id = 'key_a/rpm'): WindowClaim {
  return { id, unit: 'requests', limit, amount: 1, windowMs: 60_000 }
}

function tpm(limit: number, amount: number, id = 'key_a/tpm'): WindowClaim {
  return { id, unit: 'tokens', limit, amount, windowMs: 60_000 }
}

function admitted(decision: Admitted | RefusedByWindow): Admitted {
  if (!decision.admitted) throw new Error(`refused by ${decision.refusedBy.id}`)
  return decision
}

function refused(decision: Admitted | RefusedByWindow): RefusedByWindow {
  if (decision.admitted) throw new Error('admitted')
  return decision
}

export function declareExamples(bench: () => Bench): void {
  it('admits exactly 60 of 200 concurrent calls, and exactly 60 again in the next window', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    for (let round = 0; round < 3; round++) {
      const decisions = await Promise.all(Array.from({ length: 200 }, () => ask(store, tenant, [rpm(60)])))
      expect(decisions.filter((decision) => decision.admitted)).toHaveLength(60)
      clock.advance(60_000)
    }
  })

  it('counts an admission for a whole window and not a moment less', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    clock.advance(0.625)
    admitted(await ask(store, tenant, [rpm(1)]))
    clock.advance(59_999.875)
    refused(await ask(store, tenant, [rpm(1)]))
    clock.advance(0.125)
    admitted(await ask(store, tenant, [rpm(1)]))
  })

  it('tells how limits stand without taking anything, whatever the amount', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    const claims = [rpm(3), tpm(1000, 5000)]
    const free = [
      { unit: 'requests', limit: 3, remaining: 3, resetMs: 0 },
      { unit: 'tokens', limit: 1000, remaining: 1000, resetMs: 0 },
    ]
    expect(await store.readLimitStatuses(tenant, claims)).toEqual(free)
    admitted(await ask(store, tenant, [rpm(3), tpm(1000, 400)]))
    clock.advance(10_000)
    const used = [
      { unit: 'requests', limit: 3, remaining: 2, resetMs: 50_000 },
      { unit: 'tokens', limit: 1000, remaining: 600, resetMs: 50_000 },
    ]
    for (let time = 0; time < 5; time++) expect(await store.readLimitStatuses(tenant, claims)).toEqual(used)
    // A limit that was lowered in the meantime is passed, not undone.
    expect(await store.readLimitStatuses(tenant, [tpm(100, 1)])).toMatchObject([{ limit: 100, remaining: 0 }])
    clock.advance(50_001)
    expect(await store.readLimitStatuses(tenant, claims)).toEqual(free)
  })

  it('has room as the window rolls, not all at once at a minute boundary', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    for (let call = 0; call < 6; call++) {
      admitted(await ask(store, tenant, [rpm(6)]))
      clock.advance(10_000)
    }
    admitted(await ask(store, tenant, [rpm(6)]))
    refused(await ask(store, tenant, [rpm(6)]))
  })

  it('refuses one second before retry_after and admits exactly at it', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    admitted(await ask(store, tenant, [rpm(1)]))
    clock.advance(20_300)
    const { retryAfterSeconds } = refused(await ask(store, tenant, [rpm(1)]))
    expect(retryAfterSeconds).toBe(40)
    clock.advance(39_000)
    expect(refused(await ask(store, tenant, [rpm(1)])).retryAfterSeconds).toBe(1)
    clock.advance(1_000)
    admitted(await ask(store, tenant, [rpm(1)]))
  })

  it('never asks to wait longer than the window, whatever the fraction on the clock', async () => {
    const { store, clock, newTenant } = bench()
    for (let step = 0; step < 200; step++) {
      const tenant = newTenant()
      clock.advance(7.123456789)
      admitted(await ask(store, tenant, [rpm(1)]))
      expect(refused(await ask(store, tenant, [rpm(1)])).retryAfterSeconds).toBe(60)
    }
  })

  it('reserves the declared tokens and gives back at once what was not used', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    const { hold } = admitted(await ask(store, tenant, [tpm(1000, 800)]))
    refused(await ask(store, tenant, [tpm(1000, 300)]))
    await store.settle(hold, { tokens: 700 })
    expect(admitted(await ask(store, tenant, [tpm(1000, 300)])).limitStatuses[0]?.remaining).toBe(0)
  })

  it('counts tokens used beyond the reserve, even above the limit, from the moment of admission', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    const { hold } = admitted(await ask(store, tenant, [tpm(1000, 800)]))
    clock.advance(10_000)
    await store.settle(hold, { tokens: 1500 })
    const { retryAfterSeconds, limitStatuses } = refused(await ask(store, tenant, [tpm(1000, 1)]))
    expect(limitStatuses).toEqual([{ unit: 'tokens', limit: 1000, remaining: 0, resetMs: 50_000 }])
    expect(retryAfterSeconds).toBe(50)
    clock.advance(50_000)
    admitted(await ask(store, tenant, [tpm(1000, 1000)]))
  })

  it('counts what a call used that had claimed nothing', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    const { hold } = admitted(await ask(store, tenant, [tpm(10, 0)]))
    clock.advance(1_000)
    admitted(await ask(store, tenant, [tpm(10, 4)]))
    await store.settle(hold, { tokens: 5 })
    expect(refused(await ask(store, tenant, [tpm(10, 2)])).retryAfterSeconds).toBe(59)
  })

  it('keeps counting the request when only tokens are settled', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    const { hold } = admitted(await ask(store, tenant, [rpm(1), tpm(1000, 1000)]))
    await store.settle(hold, { tokens: 0 })
    expect(refused(await ask(store, tenant, [rpm(1), tpm(1000, 1000)])).refusedBy.id).toBe('key_a/rpm')
  })

  it('settles a hold once, however often and however concurrently it is asked to', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    admitted(await ask(store, tenant, [tpm(1000, 500)]))
    const { hold } = admitted(await ask(store, tenant, [tpm(1000, 500)]))
    await Promise.all(Array.from({ length: 20 }, () => store.settle(hold, { tokens: 400 })))
    await store.settle(hold, { tokens: 0 })
    expect(refused(await ask(store, tenant, [tpm(1000, 101)])).limitStatuses[0]?.remaining).toBe(100)
  })

  it('is not disturbed by a hold settled after it left the window', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    const late = admitted(await ask(store, tenant, [tpm(1000, 600)]))
    clock.advance(30_000)
    admitted(await ask(store, tenant, [tpm(1000, 400)]))
    clock.advance(30_000)
    await store.settle(late.hold, { tokens: 0 })
    expect(admitted(await ask(store, tenant, [tpm(1000, 0)])).limitStatuses[0]?.remaining).toBe(600)
    clock.advance(600_000)
    await store.settle(admitted(await ask(store, tenant, [tpm(1000, 0)])).hold, { tokens: 1 })
    expect(admitted(await ask(store, tenant, [tpm(1000, 0)])).limitStatuses[0]?.remaining).toBe(999)
  })

  it('takes nothing for any claim when one of them refuses', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    for (let call = 0; call < 5; call++) refused(await ask(store, tenant, [rpm(1), tpm(100, 101)]))
    const { limitStatuses } = admitted(await ask(store, tenant, [rpm(1), tpm(100, 100)]))
    expect(limitStatuses).toEqual([
      { unit: 'requests', limit: 1, remaining: 0, resetMs: 60_000 },
      { unit: 'tokens', limit: 100, remaining: 0, resetMs: 60_000 },
    ])
  })

  it('names the refusing claim that has to wait longest', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    admitted(await ask(store, tenant, [rpm(1)]))
    clock.advance(10_000)
    admitted(await ask(store, tenant, [tpm(100, 100)]))
    const decision = refused(await ask(store, tenant, [rpm(1), tpm(100, 1)]))
    expect(decision).toMatchObject({ refusedBy: tpm(100, 1), retryAfterSeconds: 60, neverFits: false })
  })

  it('says so when waiting will never help', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    admitted(await ask(store, tenant, [rpm(1)]))
    const decision = refused(await ask(store, tenant, [rpm(1), tpm(100, 101)]))
    expect(decision).toMatchObject({ refusedBy: tpm(100, 101), neverFits: true, retryAfterSeconds: 60 })
    expect(refused(await ask(store, tenant, [rpm(0)])).neverFits).toBe(true)
  })

  it('goes by the limit of the call at hand when it was lowered or raised in between', async () => {
    const { store, clock, newTenant } = bench()
    const tenant = newTenant()
    for (let call = 0; call < 3; call++) {
      admitted(await ask(store, tenant, [rpm(3)]))
      clock.advance(1_000)
    }
    refused(await ask(store, tenant, [rpm(3)]))
    admitted(await ask(store, tenant, [rpm(4)]))
    const { retryAfterSeconds, limitStatuses } = refused(await ask(store, tenant, [rpm(2)]))
    expect(retryAfterSeconds).toBe(59)
    expect(limitStatuses).toEqual([{ unit: 'requests', limit: 2, remaining: 0, resetMs: 60_000 }])
  })

  it('admits a call without claims', async () => {
    const { store, newTenant } = bench()
    const { hold, limitStatuses } = admitted(await ask(store, newTenant(), []))
    expect(limitStatuses).toEqual([])
    await store.settle(hold, { tokens: 5 })
  })

  it('keeps tenants and claim ids apart', async () => {
    const { store, newTenant } = bench()
    const [one, other] = [newTenant(), newTenant()]
    admitted(await ask(store, one, [rpm(1)]))
    admitted(await ask(store, other, [rpm(1)]))
    admitted(await ask(store, one, [rpm(1, 'key_b/rpm')]))
    refused(await ask(store, one, [rpm(1)]))
  })

  it('rejects claims that cannot be counted, and takes nothing for them', async () => {
    const { store, newTenant } = bench()
    const tenant = newTenant()
    for (const nonsense of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await expect(ask(store, tenant, [rpm(1), tpm(10, nonsense)])).rejects.toThrow(RangeError)
      await expect(ask(store, tenant, [rpm(1), tpm(nonsense, 1)])).rejects.toThrow(RangeError)
    }
    await expect(ask(store, tenant, [rpm(2), rpm(2)])).rejects.toThrow('twice')
    const { hold } = admitted(await ask(store, tenant, [rpm(1), tpm(10, 10)]))
    await expect(store.settle(hold, { tokens: Number.NaN })).rejects.toThrow(RangeError)
    await store.settle(hold, { tokens: 3 })
    expect(admitted(await ask(store, tenant, [tpm(10, 7)])).limitStatuses[0]?.remaining).toBe(0)
  })
}
