import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AdmissionStore, Decision, SpendRequest, WindowClaim } from '../contract.js'
import type { Bench } from './bench.js'
import { arbitraryStep, type LivingCall, type Step, scopes, user, wholeTenant } from './lifetime-steps.js'
import { type Bounds, expectCorrectLimitStatuses, expectCorrectRefusal } from './properties.js'
import { ReferenceModel } from './reference-model.js'

/** Random calls with losses of state in between. The store must decide as if nothing had been lost. */
export function declareLifetime(bench: () => Bench, numRuns: number): void {
  it('holds every limit and wastes no room, whatever is lost and whenever', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryStep, { maxLength: 60 }),
        fc.integer({ min: 20, max: 150 }),
        async (steps, limitNanos) => {
          const life = new Lifetime(bench(), limitNanos)
          for (const step of steps) await life.take(step)
          await life.end()
        },
      ),
      { numRuns },
    )
  })
}

const slackMs = 1
const tickMs = 0.125
let callCount = 0

class Lifetime {
  readonly #bench: Bench
  readonly #tenantId: string
  readonly #limitNanos: number
  readonly #bounds: Bounds = { strict: new ReferenceModel(0), lenient: new ReferenceModel(slackMs) }
  readonly #calls: LivingCall[] = []

  constructor(bench: Bench, limitNanos: number) {
    this.#bench = bench
    this.#limitNanos = limitNanos
    this.#tenantId = bench.newTenant()
    bench.clock.align()
    bench.usageLoader.beforeReturn = async () => undefined
    bench.usageLoader.onLoad = (tenantId) => tenantId === this.#tenantId && this.#onUsageLoaded()
  }

  async take(step: Step): Promise<void> {
    const { clock, replicas, loseState } = this.#bench
    clock.advance(step.waitTicks * tickMs)
    const store = replicas[step.replica % replicas.length]
    if (!store) return
    const pickIn = (...states: LivingCall['state'][]) => {
      const calls = this.#calls.filter(({ state }) => states.includes(state))
      return calls[step.pick % calls.length]
    }
    switch (step.kind) {
      case 'admit':
        return await this.#admit(store, step)
      case 'begin':
        return await this.#begin(pickIn('admitted', 'fenced'))
      case 'settle':
        return await this.#settle(pickIn('under way', 'recorded'))
      case 'finish':
        return this.#finish(pickIn('under way'))
      case 'report':
        return await this.#report(pickIn('recorded'), store)
      case 'report all again':
        for (const call of this.#calls) await this.#reportAgain(call, store)
        return
      case 'die':
        return await this.#die(pickIn('admitted', 'fenced'), store)
      case 'forget':
        return await store.forgetTenant(this.#tenantId)
      case 'loseState':
        return await loseState(this.#tenantId)
    }
  }

  /** Ends every call and reports every receipt. The store must then agree exactly with the record. */
  async end(): Promise<void> {
    const { store, usageLoader } = this.#bench
    for (const call of [...this.#calls]) {
      await this.#begin(call)
    }
    for (const call of this.#calls) {
      if (call.state === 'under way') this.#finish(call)
      if (call.state === 'recorded') await this.#report(call, store)
    }
    expect(await store.readReservedNanos(this.#tenantId, user)).toBe(0)
    const left = this.#limitNanos - usageLoader.sumSpend(this.#tenantId, user)
    const most = {
      maxNanos: left + 1,
      minNanos: 0,
      scopes,
      accountLimits: [{ account: user, limitNanos: this.#limitNanos }],
    }
    const { tenantId, attemptId } = { tenantId: this.#tenantId, attemptId: `req_last_${++callCount}` }
    const decision = await store.admit({ tenantId, attemptId, claims: [], spend: most })
    expect(decision).toMatchObject({ admitted: true, grantedNanos: left })
  }

  async #admit(
    store: AdmissionStore,
    {
      claims,
      most,
      least,
      pick,
    }: { claims: readonly WindowClaim[]; most: number; least: number; pick: number },
  ): Promise<void> {
    const attemptId = `req_life_${++callCount}`
    await this.#ask(store, attemptId, claims, { maxNanos: most, minNanos: Math.min(most, least) }, pick)
  }

  async #ask(
    store: AdmissionStore,
    attemptId: string,
    claims: readonly WindowClaim[],
    wish: Omit<SpendRequest, 'accountLimits' | 'scopes'>,
    luck: number,
    afterGeneration = 0,
  ): Promise<void> {
    const nowMs = this.#bench.clock.now()
    const spend = {
      ...wish,
      scopes,
      accountLimits: [
        { account: user, limitNanos: this.#limitNanos },
        { account: wholeTenant, limitNanos: 2 * this.#limitNanos },
      ],
    }
    const decision = await store.admit({
      tenantId: this.#tenantId,
      attemptId,
      claims,
      spend,
      afterGeneration,
    })
    this.#checkDecision(decision, claims, spend, nowMs)
    if (decision.admitted) {
      const granted = decision.grantedNanos ?? 0
      this.#calls.push({
        attemptId,
        store,
        hold: decision.hold,
        atMs: decision.atMs,
        generation: decision.generation,
        claims,
        granted,
        held: granted,
        cost: luck % (granted + 1),
        tokens: luck % 9,
        strict: this.#bounds.strict.record(claims, nowMs),
        lenient: this.#bounds.lenient.record(claims, nowMs),
        settled: false,
        state: 'admitted',
        receipt: null,
        reported: false,
        reportedAtMs: Number.NEGATIVE_INFINITY,
      })
    }
    expectCorrectLimitStatuses(decision, claims, nowMs, this.#bounds)
  }

  #checkDecision(
    decision: Decision,
    claims: readonly WindowClaim[],
    spend: SpendRequest,
    nowMs: number,
  ): void {
    const used = this.#usedNanos()
    if (decision.admitted) {
      expect(decision.atMs).toBe(Math.floor(nowMs))
      for (const claim of claims) expect(this.#bounds.strict.fits(claim, nowMs)).toBe(true)
      expect(decision.grantedNanos).toBeLessThanOrEqual(
        Math.min(spend.maxNanos, this.#limitNanos - used.least),
      )
      expect(decision.grantedNanos).toBeGreaterThanOrEqual(
        Math.min(spend.maxNanos, this.#limitNanos - used.most),
      )
    } else if (decision.reason === 'window') {
      expectCorrectRefusal(decision, claims, nowMs, this.#bounds)
    } else if (decision.reason === 'spend') {
      expect(this.#limitNanos - used.most).toBeLessThan(spend.minNanos)
    } else {
      throw new Error('all periods include every step')
    }
  }

  /** A receipt that a loaded sum includes, but that was not reported yet, may count twice until it is reported. */
  #usedNanos(): { least: number; most: number } {
    const living = this.#calls.filter(({ state }) => state !== 'fenced' && state !== 'gone')
    const sum = (calls: readonly LivingCall[]) => calls.reduce((total, call) => total + call.held, 0)
    const unreported = living.filter(({ state, reported }) => state === 'recorded' && !reported)
    const least = sum(living)
    return { least, most: least + unreported.reduce((total, call) => total + call.cost, 0) }
  }

  async #begin(call: LivingCall | undefined): Promise<void> {
    if (call?.state !== 'admitted' && call?.state !== 'fenced') return
    const { attemptId, atMs, claims, granted, generation, store } = call
    const open = { attemptId, atMs, claims, scopes, nanos: granted }
    const begun = this.#bench.usageLoader.openCall(this.#tenantId, open, generation)
    expect(begun).toBe(call.state === 'admitted')
    call.state = begun ? 'under way' : 'gone'
    if (begun) return
    const wish = { maxNanos: granted, minNanos: granted }
    await this.#ask(store, attemptId, claims, wish, call.cost, generation ?? 0)
    const again = this.#calls.at(-1)
    if (again?.attemptId === attemptId) await this.#begin(again)
  }

  async #settle(call: LivingCall | undefined): Promise<void> {
    if (!call) return
    await call.store.settle(call.hold, { tokens: call.tokens })
    if (call.reported || call.settled) return
    this.#correct(call)
  }

  #finish(call: LivingCall | undefined): void {
    if (!call) return
    const { attemptId, cost: nanos, tokens, atMs } = call
    const receipt = { tenantId: this.#tenantId, attemptId, nanos, tokens, atMs, scopes }
    call.receipt = this.#bench.usageLoader.appendReceipt(receipt)
    call.state = 'recorded'
  }

  async #report(call: LivingCall | undefined, store: AdmissionStore): Promise<void> {
    if (!call?.receipt) return
    await store.countReceipts([call.receipt])
    if (!call.reported && !call.settled) this.#correct(call)
    call.held = call.cost
    call.reported = true
    call.reportedAtMs = this.#bench.clock.now()
  }

  /** Repeats a receipt within the minute in which stores remember it. */
  async #reportAgain({ receipt, reportedAtMs }: LivingCall, store: AdmissionStore): Promise<void> {
    if (receipt && this.#bench.clock.now() - reportedAtMs < 59_000) await store.countReceipts([receipt])
  }

  /** The process dies before it has stored the call as open, and another process notices. */
  async #die(call: LivingCall | undefined, store: AdmissionStore): Promise<void> {
    if (!call) return
    if (call.state === 'admitted') this.#fence(call)
    call.state = 'gone'
    await store.forgetTenant(this.#tenantId)
  }

  #correct(call: LivingCall): void {
    const nowMs = this.#bench.clock.now()
    for (const entries of [call.strict, call.lenient]) {
      for (const entry of entries) {
        const leavesMs = entry.atMs + entry.claim.windowMs + (entries === call.lenient ? slackMs : 0)
        if (nowMs < leavesMs && entry.claim.unit === 'tokens') entry.amount = call.tokens
      }
    }
    call.settled = true
  }

  #fence(call: LivingCall): void {
    this.#bounds.strict.remove(call.strict)
    this.#bounds.lenient.remove(call.lenient)
    call.state = 'fenced'
  }

  /** A load discards what the database does not have, such as a call that was settled but has no receipt. */
  #onUsageLoaded(): void {
    for (const call of this.#calls) {
      if (call.state === 'admitted') this.#fence(call)
      if (call.state === 'under way') {
        for (const entry of [...call.strict, ...call.lenient]) entry.amount = entry.claim.amount
        call.settled = false
        call.held = call.granted
      }
      if (call.state === 'recorded' && !call.reported) {
        if (!call.settled) this.#correct(call)
        call.held = call.cost
        call.reported = true
      }
    }
  }
}
