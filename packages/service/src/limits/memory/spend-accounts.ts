import type { Scope, SpendAccount } from '../../shared/spend-account.js'
import type { RecordedSpend, SpendRefusal, SpendRequest } from '../contract.js'
import type { LoadedSpend } from '../truth.js'

type LoadSpend = (accounts: readonly SpendAccount[]) => Promise<LoadedSpend[]>

class LiveAccount {
  spentNanos = 0
  reservedNanos = 0
  /** Null until the database has said what was spent before. */
  asOfSeq: number | null = null
  loading: Promise<void> | null = null
  /** While the database is being asked: recorded meanwhile, counted once it is known whether its answer has them. */
  early: RecordedSpend[] | null = null
  usedAtMs = 0

  constructor(readonly account: SpendAccount) {}

  record(spend: RecordedSpend): void {
    if (this.asOfSeq === null) this.early?.push(spend)
    else if (spend.seq > this.asOfSeq) this.spentNanos += spend.nanos
  }

  open({ asOfSeq, spentNanos }: LoadedSpend): void {
    this.asOfSeq = asOfSeq
    this.spentNanos = spentNanos
    for (const spend of this.early ?? []) this.record(spend)
  }
}

interface Reservation {
  readonly scopes: readonly LiveScope[]
  readonly atMs: number
  readonly nanos: number
}

/** All that is known of one scope. */
class LiveScope {
  // Bounded: calls under way; removed with their receipt.
  readonly reservations = new Set<Reservation>()
  accounts: LiveAccount[] = []

  constructor(readonly key: string) {}

  find(account: SpendAccount): LiveAccount | undefined {
    const { startMs, endMs } = account
    return this.accounts.find((live) => live.account.startMs === startMs && live.account.endMs === endMs)
  }

  /** The account knows of the calls under way in its period, also of those from before anyone asked for it. */
  add(account: SpendAccount, nowMs: number): LiveAccount {
    const live = new LiveAccount(account)
    live.reservedNanos = this.reservedIn(account)
    // A scope has a handful of accounts at most: past periods go when the next one begins.
    this.accounts = this.accounts.filter(
      (other) => other.reservedNanos > 0 || nowMs - other.usedAtMs < quietMs,
    )
    this.accounts.push(live)
    return live
  }

  reservedIn(account: SpendAccount): number {
    let sum = 0
    for (const { atMs, nanos } of this.reservations) if (contains(account, atMs)) sum += nanos
    return sum
  }

  reserve(reservation: Reservation): void {
    this.reservations.add(reservation)
    this.#addToAccounts(reservation.atMs, reservation.nanos)
  }

  release(reservation: Reservation): void {
    if (this.reservations.delete(reservation)) this.#addToAccounts(reservation.atMs, -reservation.nanos)
  }

  #addToAccounts(atMs: number, nanos: number): void {
    for (const live of this.accounts) if (contains(live.account, atMs)) live.reservedNanos += nanos
  }
}

const quietMs = 600_000
/** Below so many scopes nothing is swept. */
const leastSwept = 1_000

/**
 * A tenant's money in this process: what the record says was spent, plus what calls under way may still spend. Both are
 * known by scope, not by the limits that were there when a call was admitted. A reservation is released only when the
 * call's receipt is counted, so that a dollar is never missing in between.
 */
export class SpendAccounts {
  readonly #load: LoadSpend
  // Bounded: swept when there are twice as many as after the last sweep; only those in use stay.
  readonly #scopes = new Map<string, LiveScope>()
  // Bounded: calls under way; removed with their receipt.
  readonly #reservations = new Map<string, Reservation>()
  /** Sessions come and go: at so many scopes, those that nobody uses any more are let go. */
  #sweepAt = leastSwept

  constructor(load: LoadSpend) {
    this.#load = load
  }

  /** Makes sure that all accounts are known. Null when they are already: the caller then need not wait. */
  prepare(request: SpendRequest, nowMs: number): Promise<unknown> | null {
    const accounts = new Set(request.claims.map(({ account }) => this.#find(account, nowMs)))
    const unknown = [...accounts].filter((account) => account.asOfSeq === null)
    if (unknown.length === 0) return null
    const fresh = unknown.filter((account) => account.loading === null)
    if (fresh.length > 0) this.#startLoading(fresh)
    return Promise.all(unknown.map((account) => account.loading))
  }

  /** Takes as much as fits, up to the most and not below the least, from all accounts alike; or says which refused. */
  reserve(
    callId: string,
    request: SpendRequest,
    { nowMs, atMs }: { nowMs: number; atMs: number },
  ): number | SpendRefusal {
    let granted = request.maxNanos
    let refusal: SpendRefusal | null = null
    for (const claim of request.claims) {
      const account = this.#find(claim.account, nowMs)
      const usedNanos = account.spentNanos + account.reservedNanos
      const room = Math.max(0, claim.limitNanos - usedNanos)
      if (room >= granted) continue
      granted = room
      refusal = { claim, spentNanos: account.spentNanos, usedNanos }
    }
    if (refusal !== null && granted < request.minNanos) return refusal
    this.hold(callId, request.scopes, atMs, granted)
    return granted
  }

  hold(callId: string, scopes: readonly Scope[], atMs: number, nanos: number): void {
    if (scopes.length === 0 || nanos === 0) return
    const reservation = { scopes: scopes.map(([type, id]) => this.#scope(type, id)), atMs, nanos }
    for (const scope of reservation.scopes) scope.reserve(reservation)
    this.#reservations.set(callId, reservation)
  }

  /** Gives a reservation back whole: its receipt is counted, or the call was not made after all. */
  release(callId: string): void {
    const reservation = this.#reservations.get(callId)
    if (!reservation) return
    this.#reservations.delete(callId)
    for (const scope of reservation.scopes) {
      scope.release(reservation)
      if (scope.reservations.size === 0 && scope.accounts.length === 0) this.#scopes.delete(scope.key)
    }
  }

  record(spend: RecordedSpend): void {
    for (const [scopeType, scopeId] of spend.scopes) {
      for (const live of this.#scopes.get(scopeKey(scopeType, scopeId))?.accounts ?? [])
        if (contains(live.account, spend.atMs)) live.record(spend)
    }
    this.release(spend.callId)
  }

  reservedNanos(account: SpendAccount): number {
    return this.#scopes.get(scopeKey(account.scopeType, account.scopeId))?.reservedIn(account) ?? 0
  }

  #startLoading(accounts: LiveAccount[]): void {
    for (const live of accounts) live.early = []
    const loading = this.#load(accounts.map((live) => live.account)).then((loaded) => {
      for (const [i, live] of accounts.entries()) {
        const spend = loaded[i]
        if (spend) live.open(spend)
      }
    })
    for (const live of accounts) {
      live.loading = loading.finally(() => {
        live.loading = null
        live.early = null
      })
      // The callers that wait for it get the error; there may be none left.
      live.loading.catch(() => undefined)
    }
  }

  #find(account: SpendAccount, nowMs: number): LiveAccount {
    const scope = this.#scope(account.scopeType, account.scopeId)
    const live = scope.find(account) ?? scope.add(account, nowMs)
    live.usedAtMs = nowMs
    if (this.#scopes.size >= this.#sweepAt) this.#sweep(nowMs)
    return live
  }

  /** What is let go is loaded again when it is asked for. */
  #sweep(nowMs: number): void {
    for (const [key, { reservations, accounts }] of this.#scopes) {
      const isQuiet = accounts.every((live) => live.loading === null && nowMs - live.usedAtMs >= quietMs)
      if (reservations.size === 0 && isQuiet) this.#scopes.delete(key)
    }
    this.#sweepAt = Math.max(leastSwept, this.#scopes.size * 2)
  }

  #scope(scopeType: string, scopeId: string): LiveScope {
    const key = scopeKey(scopeType, scopeId)
    let scope = this.#scopes.get(key)
    if (!scope) {
      scope = new LiveScope(key)
      this.#scopes.set(key, scope)
    }
    return scope
  }
}

const contains = ({ startMs, endMs }: SpendAccount, atMs: number): boolean =>
  atMs >= startMs && (endMs === null || atMs < endMs)

const scopeKey = (scopeType: string, scopeId: string): string => `${scopeType}\n${scopeId}`
