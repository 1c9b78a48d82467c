import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach } from 'vitest'
import type { SpendAccount } from '../../shared/spend-account.js'
import type { AdmissionStore, Admitted, Decision, WindowClaim } from '../contract.js'
import type { Bench } from './bench.js'

export const user: SpendAccount = { scopeType: 'user', scopeId: 'ada', startMs: 0, endMs: null }
export const scopes = [['user', 'ada']] as const

export const rpm = (limit: number): WindowClaim => ({
  id: 'key_a/rpm',
  unit: 'requests',
  limit,
  amount: 1,
  windowMs: 60_000,
})
export const tpm = (limit: number, amount: number): WindowClaim => ({
  id: 'key_a/tpm',
  unit: 'tokens',
  limit,
  amount,
  windowMs: 60_000,
})

/** What a call claims. `limitNanos` is the limit of the user's account. */
interface Claims {
  readonly claims?: readonly WindowClaim[]
  readonly nanos?: number
  readonly limitNanos?: number
}

type StartedCall = Admitted & { attemptId: string }

/** Makes calls of one tenant as the gateway does: admitted, stored as open, settled and recorded. Each test has a new tenant. */
export class CallDriver {
  tenantId = ''
  readonly #bench: () => Bench
  #calls = 0

  constructor(bench: () => Bench) {
    this.#bench = bench
    beforeEach(() => {
      const { usageLoader, newTenant } = bench()
      this.tenantId = newTenant()
      usageLoader.beforeReturn = async () => undefined
      usageLoader.onLoad = () => undefined
    })
  }

  newAttemptId(): string {
    return `req_driver_${++this.#calls}`
  }

  admit(
    store: AdmissionStore,
    attemptId: string,
    { claims = [], nanos, limitNanos = 100 }: Claims,
    afterGeneration = 0,
  ): Promise<Decision> {
    const limits = [{ account: user, limitNanos }]
    const spend =
      nanos === undefined ? null : { scopes, accountLimits: limits, maxNanos: nanos, minNanos: nanos }
    return store.admit({ tenantId: this.tenantId, attemptId, claims, spend, afterGeneration })
  }

  /** Stores an admitted call as open. Returns false when its generation is too old. */
  open(attemptId: string, { atMs, generation }: Admitted, { claims = [], nanos }: Claims): boolean {
    const reserved = { scopes: nanos === undefined ? [] : scopes, nanos: nanos ?? 0 }
    const call = { attemptId, atMs, claims, ...reserved }
    return this.#bench().usageLoader.openCall(this.tenantId, call, generation)
  }

  /** Admits a call and stores it as open, again for as long as the tenant is loaded in between. Null when refused. */
  async start(store: AdmissionStore, claims: Claims): Promise<StartedCall | null> {
    const attemptId = this.newAttemptId()
    let afterGeneration = 0
    for (;;) {
      const decision = await this.admit(store, attemptId, claims, afterGeneration)
      if (!decision.admitted) return null
      await nextTurn()
      if (this.open(attemptId, decision, claims)) return { ...decision, attemptId }
      afterGeneration = decision.generation ?? 0
    }
  }

  async startAdmitted(claims: Claims): Promise<StartedCall> {
    const call = await this.start(this.#bench().store, claims)
    if (call === null) throw new Error('refused')
    return call
  }

  async record(
    store: AdmissionStore,
    { attemptId, atMs }: { attemptId: string; atMs: number },
    nanos: number,
    tokens = 0,
  ): Promise<void> {
    const { tenantId } = this
    const receipt = { tenantId, attemptId, nanos, tokens, atMs, scopes }
    await store.countReceipts([this.#bench().usageLoader.appendReceipt(receipt)])
  }
}
