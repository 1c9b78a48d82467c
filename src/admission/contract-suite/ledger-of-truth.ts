import type { Account, RecordedSpend } from '../contract.js'
import type { LoadSpend } from '../spend-accounts.js'

/** The record as a plain list: what a store must agree with. */
export class LedgerOfTruth {
  readonly #receipts: RecordedSpend[] = []
  loads = 0
  /** What happens between the reading of the sums and the store's learning of them. */
  beforeAnswer: () => Promise<void> = async () => undefined

  append(receipt: Omit<RecordedSpend, 'seq'>): RecordedSpend {
    const recorded = { ...receipt, seq: this.#receipts.length + 1 }
    this.#receipts.push(recorded)
    return recorded
  }

  sum(tenantId: string, account: Account): number {
    return this.#receipts
      .filter((receipt) => receipt.tenantId === tenantId && belongs(receipt, account))
      .reduce((total, receipt) => total + receipt.micros, 0)
  }

  readonly load: LoadSpend = async (tenantId, accounts) => {
    this.loads++
    const asOfSeq = this.#receipts.length
    const sums = accounts.map((account) => ({ asOfSeq, spentMicros: this.sum(tenantId, account) }))
    await this.beforeAnswer()
    return sums
  }
}

function belongs({ atMs, scopes }: RecordedSpend, account: Account): boolean {
  const within = atMs >= account.startMs && (account.endMs === null || atMs < account.endMs)
  return within && scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId)
}
