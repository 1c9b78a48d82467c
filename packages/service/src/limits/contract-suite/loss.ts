import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { AdmissionStore, Admitted, Decision, WindowClaim } from '../contract.js'
import type { Bench } from './bench.js'

const user: SpendAccount = { scopeType: 'user', scopeId: 'ada', startMs: 0, endMs: null }
const scopes = [['user', 'ada']] as const

const rpm = (limit: number): WindowClaim => ({
  id: 'key_a/rpm',
  unit: 'requests',
  limit,
  amount: 1,
  windowMs: 60_000,
})
const tpm = (limit: number, amount: number): WindowClaim => ({
  id: 'key_a/tpm',
  unit: 'tokens',
  limit,
  amount,
  windowMs: 60_000,
})

interface Wish {
  readonly claims?: readonly WindowClaim[]
  readonly nanos?: number
  readonly limitNanos?: number
}

export function declareLoss(bench: () => Bench): void {
  let tenantId = ''
  let calls = 0

  beforeEach(() => {
    const { usageSource, newTenant } = bench()
    tenantId = newTenant()
    usageSource.beforeReturn = async () => undefined
    usageSource.onLoad = () => undefined
  })

  const newCall = () => `req_loss_${++calls}`

  function admit(
    store: AdmissionStore,
    callId: string,
    { claims = [], nanos, limitNanos = 100 }: Wish,
    afterGeneration = 0,
  ): Promise<Decision> {
    const limits = [{ account: user, limitNanos }]
    const spend = nanos === undefined ? null : { scopes, claims: limits, maxNanos: nanos, minNanos: nanos }
    return store.admit({ tenantId, callId, claims, spend, afterGeneration })
  }

  function begin(callId: string, { atMs, generation }: Admitted, { claims = [], nanos }: Wish): boolean {
    const held = { scopes: nanos === undefined ? [] : scopes, nanos: nanos ?? 0 }
    return bench().usageSource.openCall(tenantId, { callId, atMs, claims, ...held }, generation)
  }

  /** Admitted and written down, asking again for as long as the usageSource is loaded in between. Null when refused. */
  async function start(store: AdmissionStore, wish: Wish): Promise<(Admitted & { callId: string }) | null> {
    const callId = newCall()
    let afterGeneration = 0
    for (;;) {
      const decision = await admit(store, callId, wish, afterGeneration)
      if (!decision.admitted) return null
      await turn()
      if (begin(callId, decision, wish)) return { ...decision, callId }
      afterGeneration = decision.generation ?? 0
    }
  }

  async function started(wish: Wish): Promise<Admitted & { callId: string }> {
    const call = await start(bench().store, wish)
    if (call === null) throw new Error('refused')
    return call
  }

  async function record(
    store: AdmissionStore,
    { callId, atMs }: { callId: string; atMs: number },
    nanos: number,
    tokens = 0,
  ): Promise<void> {
    await store.countReceipts([
      bench().usageSource.appendReceipt({ tenantId, callId, nanos, tokens, atMs, scopes }),
    ])
  }

  it('knows calls of the last minute again, and when they leave it', async () => {
    const { store, clock, loseState } = bench()
    clock.align()
    const first = await started({ claims: [rpm(2)] })
    clock.advance(10_000)
    await started({ claims: [rpm(2)] })
    await record(store, first, 0)
    clock.advance(10_000)
    await loseState(tenantId)
    const refused = await admit(store, newCall(), { claims: [rpm(2)] })
    expect(refused).toMatchObject({ admitted: false, reason: 'window', retryAfterSeconds: 41 })
    clock.advance(39_999)
    expect(await admit(store, newCall(), { claims: [rpm(2)] })).toMatchObject({ admitted: false })
    clock.advance(2)
    expect(await admit(store, newCall(), { claims: [rpm(2)] })).toMatchObject({ admitted: true })
  })

  it('counts what it knows again not a moment shorter than it did', async () => {
    const { store, clock, loseState } = bench()
    clock.align()
    clock.advance(0.625)
    const recorded = await started({ claims: [rpm(2)] })
    await started({ claims: [rpm(2)] })
    await record(store, recorded, 0)
    await loseState(tenantId)
    clock.advance(59_999.875)
    expect(await admit(store, newCall(), { claims: [rpm(1)] })).toMatchObject({ admitted: false })
    expect(await admit(store, newCall(), { claims: [rpm(2)] })).toMatchObject({ admitted: false })
    clock.advance(1)
    expect(await admit(store, newCall(), { claims: [rpm(1)] })).toMatchObject({ admitted: true })
  })

  it('knows a busy minute again, millisecond by millisecond', async () => {
    const { store, clock, usageSource, loseState } = bench()
    clock.align()
    const { atMs, generation } = await started({ claims: [rpm(5_000)] })
    for (let call = 1; call < 3_000; call++) {
      const callId = newCall()
      usageSource.openCall(
        tenantId,
        { callId, atMs: atMs + call, claims: [rpm(5_000)], scopes: [], nanos: 0 },
        generation,
      )
      if (call % 50 > 0)
        usageSource.appendReceipt({ tenantId, callId, nanos: 0, tokens: 0, atMs: atMs + call, scopes })
    }
    await loseState(tenantId)
    clock.advance(60_000)
    for (const gone of [0, 1, 500, 1_500, 2_998]) {
      clock.advance(Math.floor(atMs + 60_001 + gone) - clock.now())
      const decision = await admit(store, newCall(), { claims: [{ ...rpm(5_000), amount: 0 }] })
      expect(decision.limitStatuses[0]?.remaining).toBe(5_000 - 2_999 + gone)
    }
  })

  it('knows again what calls under way hold, and lets it go with their receipts', async () => {
    const { store, loseState } = bench()
    const call = await started({ nanos: 60 })
    await loseState(tenantId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(60)
    expect(await admit(store, newCall(), { nanos: 41 })).toMatchObject({ refusal: { usedNanos: 60 } })
    await record(store, call, 50)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(store, newCall(), { nanos: 50 })).toMatchObject({ admitted: true })
  })

  it('settles a call that was admitted before everything was lost', async () => {
    const { store, loseState } = bench()
    const call = await started({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(tenantId)
    expect(await admit(store, newCall(), { claims: [tpm(1000, 201)] })).toMatchObject({ admitted: false })
    await store.settle(call.hold, { tokens: 700 })
    expect(await store.readReservedNanos(tenantId, user)).toBe(60)
    expect(await admit(store, newCall(), { claims: [tpm(1000, 300)] })).toMatchObject({ admitted: true })
  })

  it('corrects by its receipt a call whose settling was lost', async () => {
    const { store, loseState } = bench()
    const call = await started({ claims: [tpm(1000, 800)] })
    await store.settle(call.hold, { tokens: 700 })
    await loseState(tenantId)
    expect(await admit(store, newCall(), { claims: [tpm(1000, 201)] })).toMatchObject({ admitted: false })
    await record(store, call, 0, 700)
    expect(await admit(store, newCall(), { claims: [tpm(1000, 300)] })).toMatchObject({ admitted: true })
  })

  it('is not confused by a call that is settled while nothing is known of it', async () => {
    const { store, loseState } = bench()
    const call = await started({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(tenantId)
    await store.settle(call.hold, { tokens: 700 })
    await record(store, call, 40, 700)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(store, newCall(), { claims: [tpm(1000, 300)], nanos: 60 })).toMatchObject({
      admitted: true,
    })
  })

  it('counts a receipt once that is reported while the usageSource is being read', async () => {
    const { store, replicas, usageSource, loseState } = bench()
    const call = await started({ claims: [tpm(1000, 800)], nanos: 60 })
    await loseState(tenantId)
    usageSource.beforeReturn = async () => {
      usageSource.beforeReturn = async () => undefined
      await record(replicas.at(-1) ?? store, call, 50, 100)
    }
    expect(await admit(store, newCall(), { claims: [tpm(1000, 900)] })).toMatchObject({ admitted: true })
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(store, newCall(), { nanos: 50 })).toMatchObject({ admitted: true })
  })

  it('begins again when it has to forget what is just being loaded', async () => {
    const { store, replicas, usageSource, loseState } = bench()
    const { callId, atMs } = await started({ nanos: 60 })
    await loseState(tenantId)
    usageSource.beforeReturn = async () => {
      usageSource.beforeReturn = async () => undefined
      // Someone writes the receipt and dies before telling it.
      usageSource.appendReceipt({ tenantId, callId, nanos: 50, tokens: 0, atMs, scopes })
      await (replicas.at(-1) ?? store).forgetTenant(tenantId)
    }
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(await admit(store, newCall(), { nanos: 50 })).toMatchObject({ admitted: true })
  })

  it('leaves no trace of a call that was not made after all', async () => {
    const { store, usageSource } = bench()
    const wish = { claims: [rpm(1), tpm(1000, 800)], nanos: 60 }
    const given = await admit(store, newCall(), wish)
    const settled = await admit(store, newCall(), { claims: [tpm(1000, 200)], nanos: 30 })
    if (!given.admitted || !settled.admitted) throw new Error('refused')
    await store.settle(settled.hold, { tokens: 150 })
    await store.release(given.hold)
    await store.release(given.hold)
    await store.release(settled.hold)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    const { loads } = usageSource
    expect(await admit(store, newCall(), { ...wish, nanos: 100 })).toMatchObject({ admitted: true })
    expect(usageSource.loads).toBe(loads)
  })

  it('does not count a call twice that has to ask again', async () => {
    const { store, clock, loseState } = bench()
    const wish = { claims: [rpm(1)], nanos: 100 }
    const callId = newCall()
    const before = await admit(store, callId, wish)
    if (!before.admitted) throw new Error('refused')
    await loseState(tenantId)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    expect(begin(callId, before, wish)).toBe(false)
    clock.advance(1)
    const after = await admit(store, callId, wish, before.generation ?? 0)
    if (!after.admitted) throw new Error('refused')
    expect(after.generation).toBeGreaterThan(before.generation ?? 0)
    expect(begin(callId, after, wish)).toBe(true)
    await store.settle(before.hold, { tokens: 0 })
    expect(await store.readReservedNanos(tenantId, user)).toBe(100)
    expect(await admit(store, newCall(), wish)).toMatchObject({ admitted: false })
    await record(store, { callId, atMs: after.atMs }, 100)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
  })

  it('loads again when the generation that it believes in was overtaken elsewhere', async () => {
    const { store, usageSource } = bench()
    const wish = { claims: [rpm(2)] }
    const callId = newCall()
    const before = await admit(store, callId, wish)
    if (!before.admitted) throw new Error('refused')
    await usageSource.loadTenantUsage(tenantId)
    expect(begin(callId, before, wish)).toBe(false)
    expect(await start(store, wish)).not.toBeNull()
    expect(await start(store, wish)).not.toBeNull()
    expect(await start(store, wish)).toBeNull()
  })

  it('asks the usageSource once, however many calls come first', async () => {
    const { usageSource, replicas } = bench()
    const loadsBefore = usageSource.loads
    usageSource.beforeReturn = turn
    const first = Array.from({ length: 50 }, (_, i) =>
      replicas[i % replicas.length]?.admit({ tenantId, callId: newCall(), claims: [rpm(20)], spend: null }),
    )
    const decisions = await Promise.all(first)
    expect(decisions.filter((decision) => decision?.admitted)).toHaveLength(20)
    expect(usageSource.loads).toBe(loadsBefore + 1)
  })

  it('admits no call too many and none too few while everything is lost again and again', async () => {
    const { store, usageSource, replicas, loseState } = bench()
    const wish = { claims: [rpm(60), tpm(10_000, 100)], nanos: 10, limitNanos: 450 }
    usageSource.beforeReturn = async () => {
      for (let turns = 0; turns < 5; turns++) await turn()
    }
    let active = true
    const loser = (async () => {
      for (let i = 0; active; i++) {
        for (let turns = 0; turns < 20 + (i % 7) * 10; turns++) await turn()
        if (i % 2 === 0) await loseState(tenantId)
        else await (replicas[i % replicas.length] ?? store).forgetTenant(tenantId)
      }
    })()
    let admitted = 0
    const callers = Array.from({ length: 40 }, async (_, i) => {
      const own = replicas[i % replicas.length] ?? store
      for (let round = 0; round < 4; round++) {
        const call = await start(own, wish)
        if (call === null) continue
        admitted++
        if (i % 3 > 0) await own.settle(call.hold, { tokens: 90 })
        await turn()
        await record(replicas[(i + round) % replicas.length] ?? own, call, i % 5 ? 10 : 5, 90)
      }
    })
    await Promise.all(callers)
    active = false
    await loser
    const spent = usageSource.sumSpend(tenantId, user)
    expect(spent).toBeLessThanOrEqual(450)
    expect(await store.readReservedNanos(tenantId, user)).toBe(0)
    // Nothing has left the window meanwhile: the clock stands still.
    const left = Math.min(60 - admitted, Math.floor((450 - spent) / 10))
    for (let i = 0; i < left; i++) expect(await start(store, wish)).not.toBeNull()
    expect(await start(store, wish)).toBeNull()
  })

  it('counts the calls from before a limit applied, on every replica, each time one begins to apply', async () => {
    const { usageSource, clock, replicas, store } = bench()
    const used = (atMs: number) => [
      { claimId: 'key_a/rpm', windowMs: 60_000, atMs, amount: 1 },
      { claimId: 'key_a/tpm', windowMs: 60_000, atMs, amount: 50 },
    ]
    const atMs = () => Math.floor(clock.now() + clock.epochOffsetMs())
    // Everybody knows the tenant before the limit.
    for (const replica of replicas) await admit(replica, newCall(), { nanos: 1 })
    for (let round = 0; round < 2; round++) {
      usageSource.addUnclaimedUses(tenantId, [...used(atMs()), ...used(atMs())])
      const sinceLimitsVersion = usageSource.beginLimit(tenantId)
      const claims = [
        { ...rpm(3), sinceLimitsVersion },
        { ...tpm(150, 50), sinceLimitsVersion },
      ]
      for (const replica of replicas) {
        const limitStatuses = await replica.readLimitStatuses(tenantId, claims)
        expect(limitStatuses.map(({ remaining }) => remaining)).toEqual([1, 50])
      }
      const callId = newCall()
      const first = await admit(store, callId, { claims })
      if (!first.admitted) throw new Error('refused')
      expect(begin(callId, first, { claims })).toBe(true)
      for (const replica of replicas)
        expect(await admit(replica, newCall(), { claims })).toMatchObject({
          admitted: false,
          reason: 'window',
        })
      await store.countReceipts([
        usageSource.appendReceipt({ tenantId, callId, nanos: 0, tokens: 50, atMs: first.atMs, scopes: [] }),
      ])
      clock.advance(60_001)
    }
  })
}
