import { isInPeriod, type Scope, type SpendAccount } from '../../shared/spend-account.js'
import type { ReceiptSpend, SpendRefusal, SpendRequest } from '../contract.js'
import type { AccountSpend } from '../usage-loader.js'
import { idleMs, type LiveAccount, LiveScope, type ReservedCost } from './live-scope.js'

type LoadAccountSpend = (accounts: readonly SpendAccount[]) => Promise<AccountSpend[]>

/** With fewer scopes than this, unused ones are not removed. */
const minScopesToSweep = 1_000

/**
 * The spend of a tenant: the recorded cost, and what open calls may still cost. Both are kept by scope and not by limit, because limits
 * may change while a call runs. A reservation is released only when the receipt of its call is counted, so the cost of a call is always
 * included in one of the two.
 */
export class SpendAccounts {
  readonly #load: LoadAccountSpend
  // Bounded: unused scopes are removed whenever the map has twice as many as were left the last time.
  readonly #scopes = new Map<string, LiveScope>()
  // Bounded: open calls; removed when their receipt is counted.
  readonly #reservations = new Map<string, ReservedCost>()
  /** The number of scopes at which unused ones are removed. Most of them are sessions that have ended. */
  #sweepAt = minScopesToSweep

  constructor(load: LoadAccountSpend) {
    this.#load = load
  }

  /** Loads the accounts of a request. Returns null when all are loaded already, so that the caller need not wait. */
  loadMissing(request: SpendRequest, nowMs: number): Promise<unknown> | null {
    const accounts = new Set(request.accountLimits.map(({ account }) => this.#findOrAdd(account, nowMs)))
    const missing = [...accounts].filter((account) => account.asOfSeq === null)
    if (missing.length === 0) return null
    const idle = missing.filter((account) => account.loading === null)
    if (idle.length > 0) this.#startLoading(idle)
    return Promise.all(missing.map((account) => account.loading))
  }

  /** Reserves the largest amount between the minimum and the maximum that fits in all accounts, or returns why none does. */
  reserve(
    attemptId: string,
    request: SpendRequest,
    { nowMs, atMs }: { nowMs: number; atMs: number },
  ): number | SpendRefusal {
    let granted = request.maxNanos
    let refusal: SpendRefusal | null = null
    for (const accountLimit of request.accountLimits) {
      const account = this.#findOrAdd(accountLimit.account, nowMs)
      const usedNanos = account.spentNanos + account.reservedNanos
      const available = Math.max(0, accountLimit.limitNanos - usedNanos)
      if (available >= granted) continue
      granted = available
      refusal = { accountLimit, spentNanos: account.spentNanos, usedNanos }
    }
    if (refusal !== null && granted < request.minNanos) return refusal
    this.addReservation(attemptId, request.scopes, atMs, granted)
    return granted
  }

  /** Reserves an amount without checking limits. */
  addReservation(attemptId: string, scopes: readonly Scope[], atMs: number, nanos: number): void {
    if (scopes.length === 0 || nanos === 0) return
    const reservation = { scopes: scopes.map(([type, id]) => this.#scopeOf(type, id)), atMs, nanos }
    for (const scope of reservation.scopes) scope.reserve(reservation)
    this.#reservations.set(attemptId, reservation)
  }

  /** Releases the whole reservation of a call, because its receipt is counted or the call was not made. */
  release(attemptId: string): void {
    const reservation = this.#reservations.get(attemptId)
    if (!reservation) return
    this.#reservations.delete(attemptId)
    for (const scope of reservation.scopes) {
      scope.release(reservation)
      if (scope.reservations.size === 0 && scope.accounts.length === 0) this.#scopes.delete(scope.key)
    }
  }

  countReceipt(receipt: ReceiptSpend): void {
    for (const [scopeType, scopeId] of receipt.scopes) {
      for (const live of this.#scopes.get(scopeKey(scopeType, scopeId))?.accounts ?? [])
        if (isInPeriod(live.account, receipt.atMs)) live.countReceipt(receipt)
    }
    this.release(receipt.attemptId)
  }

  sumReservedNanos(account: SpendAccount): number {
    return this.#scopes.get(scopeKey(account.scopeType, account.scopeId))?.sumReservedNanos(account) ?? 0
  }

  #startLoading(accounts: LiveAccount[]): void {
    for (const live of accounts) live.pendingReceipts = []
    const loading = this.#load(accounts.map((live) => live.account)).then((loaded) => {
      for (const [i, live] of accounts.entries()) {
        const spend = loaded[i]
        if (spend) live.setLoadedSpend(spend)
      }
    })
    for (const live of accounts) {
      live.loading = loading.finally(() => {
        live.loading = null
        live.pendingReceipts = null
      })
      // The callers that wait for the load receive its error. If none is left, the rejection must still be handled.
      live.loading.catch(() => undefined)
    }
  }

  #findOrAdd(account: SpendAccount, nowMs: number): LiveAccount {
    const scope = this.#scopeOf(account.scopeType, account.scopeId)
    const live = scope.find(account) ?? scope.add(account, nowMs)
    live.usedAtMs = nowMs
    if (this.#scopes.size >= this.#sweepAt) this.#sweep(nowMs)
    return live
  }

  #sweep(nowMs: number): void {
    for (const [key, { reservations, accounts }] of this.#scopes) {
      const isIdle = accounts.every((live) => live.loading === null && nowMs - live.usedAtMs >= idleMs)
      if (reservations.size === 0 && isIdle) this.#scopes.delete(key)
    }
    this.#sweepAt = Math.max(minScopesToSweep, this.#scopes.size * 2)
  }

  #scopeOf(scopeType: string, scopeId: string): LiveScope {
    const key = scopeKey(scopeType, scopeId)
    let scope = this.#scopes.get(key)
    if (!scope) {
      scope = new LiveScope(key)
      this.#scopes.set(key, scope)
    }
    return scope
  }
}

const scopeKey = (scopeType: string, scopeId: string): string => `${scopeType}\n${scopeId}`
