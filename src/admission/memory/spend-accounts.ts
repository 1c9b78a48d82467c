import type { SpendAccount } from '../../spend-account.js'
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
  readonly accounts: readonly LiveAccount[]
  nanos: number
}

const quietMs = 600_000

/**
 * A tenant's money in this process: what the record says was spent, plus what calls under way may still spend. Spend
 * is counted from receipts, also of calls that had no claim here (a budget that was made while they ran); a reservation
 * is let go only when the call's receipt is counted, so that a dollar is never missing in between.
 */
export class SpendAccounts {
  readonly #load: LoadSpend
  readonly #byScope = new Map<string, LiveAccount[]>()
  readonly #reservations = new Map<string, Reservation>()

  constructor(load: LoadSpend) {
    this.#load = load
  }

  /** Makes sure that all accounts are known. Null when they are already: the caller then need not wait. */
  prepare(request: SpendRequest, nowMs: number): Promise<unknown> | null {
    const unknown = this.#findAll(request, nowMs).filter((account) => account.asOfSeq === null)
    if (unknown.length === 0) return null
    const fresh = unknown.filter((account) => account.loading === null)
    if (fresh.length > 0) this.#startLoading(fresh)
    return Promise.all(unknown.map((account) => account.loading))
  }

  /** Takes as much as fits, up to the most and not below the least, from all accounts alike; or says which refused. */
  reserve(callId: string, request: SpendRequest, nowMs: number): number | SpendRefusal {
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
    this.#hold(callId, this.#findAll(request, nowMs), granted)
    return granted
  }

  /** Holds what a call holds that was admitted by someone else. */
  restore(callId: string, accounts: readonly SpendAccount[], nanos: number, nowMs: number): void {
    this.#hold(
      callId,
      accounts.map((account) => this.#find(account, nowMs)),
      nanos,
    )
  }

  /** The call has ended: what it holds is now what it costs, until its receipt is counted. */
  settle(callId: string, nanos: number): void {
    const reservation = this.#reservations.get(callId)
    if (!reservation) return
    for (const account of reservation.accounts) account.reservedNanos += nanos - reservation.nanos
    reservation.nanos = nanos
  }

  /** Gives a reservation back whole, for a call that was refused after all. */
  release(callId: string): void {
    this.settle(callId, 0)
    this.#reservations.delete(callId)
  }

  record(spend: RecordedSpend): void {
    for (const [scopeType, scopeId] of spend.scopes) {
      for (const live of this.#byScope.get(scopeKey(scopeType, scopeId)) ?? []) {
        const { startMs, endMs } = live.account
        if (spend.atMs >= startMs && (endMs === null || spend.atMs < endMs)) live.record(spend)
      }
    }
    this.release(spend.callId)
  }

  reservedNanos(account: SpendAccount): number {
    return this.#peek(account)?.reservedNanos ?? 0
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

  #hold(callId: string, accounts: readonly LiveAccount[], nanos: number): void {
    for (const account of accounts) account.reservedNanos += nanos
    this.#reservations.set(callId, { accounts, nanos })
  }

  /** Each account once, however many claims are made on it: a call spends its money once. */
  #findAll({ claims }: SpendRequest, nowMs: number): LiveAccount[] {
    return [...new Set(claims.map((claim) => this.#find(claim.account, nowMs)))]
  }

  #peek(account: SpendAccount): LiveAccount | undefined {
    const all = this.#byScope.get(scopeKey(account.scopeType, account.scopeId))
    return all?.find(
      (live) => live.account.startMs === account.startMs && live.account.endMs === account.endMs,
    )
  }

  #find(account: SpendAccount, nowMs: number): LiveAccount {
    let live = this.#peek(account)
    if (!live) {
      live = new LiveAccount(account)
      const key = scopeKey(account.scopeType, account.scopeId)
      // A scope has a handful of accounts at most: past periods go when the next one begins.
      const others = (this.#byScope.get(key) ?? []).filter(
        (other) => other.reservedNanos > 0 || nowMs - other.usedAtMs < quietMs,
      )
      this.#byScope.set(key, [...others, live])
    }
    live.usedAtMs = nowMs
    return live
  }
}

const scopeKey = (scopeType: string, scopeId: string): string => `${scopeType}\n${scopeId}`
