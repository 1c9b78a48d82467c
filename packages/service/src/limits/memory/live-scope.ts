import { isInPeriod, type SpendAccount } from '../../shared/spend-account.js'
import type { ReceiptSpend } from '../contract.js'
import type { AccountSpend } from '../usage-loader.js'

/** An account that was not used for this long is dropped, and is loaded again when it is needed. */
export const idleMs = 600_000

/** The spend of one scope in one period. */
export class LiveAccount {
  spentNanos = 0
  reservedNanos = 0
  /** The number of the last receipt that `spentNanos` includes from the database. Null until the account is loaded. */
  asOfSeq: number | null = null
  loading: Promise<void> | null = null
  /** Receipts that were reported during the load. They are counted once it is known whether the loaded sum includes them. */
  pendingReceipts: ReceiptSpend[] | null = null
  usedAtMs = 0

  constructor(readonly account: SpendAccount) {}

  countReceipt(receipt: ReceiptSpend): void {
    if (this.asOfSeq === null) this.pendingReceipts?.push(receipt)
    else if (receipt.seq > this.asOfSeq) this.spentNanos += receipt.nanos
  }

  setLoadedSpend({ asOfSeq, spentNanos }: AccountSpend): void {
    this.asOfSeq = asOfSeq
    this.spentNanos = spentNanos
    for (const receipt of this.pendingReceipts ?? []) this.countReceipt(receipt)
  }
}

/** What is reserved for one open call: the most that it may still cost. */
export interface ReservedCost {
  readonly scopes: readonly LiveScope[]
  readonly atMs: number
  readonly nanos: number
}

/** The accounts of one scope and the reservations in it. */
export class LiveScope {
  // Bounded: open calls; removed when their receipt is counted.
  readonly reservations = new Set<ReservedCost>()
  accounts: LiveAccount[] = []

  constructor(readonly key: string) {}

  find(account: SpendAccount): LiveAccount | undefined {
    const { startMs, endMs } = account
    return this.accounts.find((live) => live.account.startMs === startMs && live.account.endMs === endMs)
  }

  /** Adds an account, which includes the reservations of calls that were admitted before it was added. */
  add(account: SpendAccount, nowMs: number): LiveAccount {
    const added = new LiveAccount(account)
    added.reservedNanos = this.sumReservedNanos(account)
    // This keeps the list short: past periods are dropped when the next one is added.
    this.accounts = this.accounts.filter(
      (other) => other.reservedNanos > 0 || nowMs - other.usedAtMs < idleMs,
    )
    this.accounts.push(added)
    return added
  }

  sumReservedNanos(account: SpendAccount): number {
    let sum = 0
    for (const { atMs, nanos } of this.reservations) if (isInPeriod(account, atMs)) sum += nanos
    return sum
  }

  reserve(reservation: ReservedCost): void {
    this.reservations.add(reservation)
    this.#addToAccounts(reservation.atMs, reservation.nanos)
  }

  release(reservation: ReservedCost): void {
    if (this.reservations.delete(reservation)) this.#addToAccounts(reservation.atMs, -reservation.nanos)
  }

  #addToAccounts(atMs: number, nanos: number): void {
    for (const live of this.accounts) if (isInPeriod(live.account, atMs)) live.reservedNanos += nanos
  }
}
