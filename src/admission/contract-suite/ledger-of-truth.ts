import type { Account, RecordedSpend } from '../contract.js'
import type { AdmissionTruth, LoadedSpend, OpenCall, TenantTruth, Use } from '../truth.js'

/** The record and the calls under way as plain lists: what a store must agree with. */
export class LedgerOfTruth implements AdmissionTruth {
  readonly #receipts: RecordedSpend[] = []
  readonly #uses: (Use & { tenantId: string })[] = []
  readonly #open: (OpenCall & { tenantId: string })[] = []
  readonly #generations = new Map<string, number>()
  loads = 0
  onLoad: (tenantId: string) => void = () => undefined
  /** What happens between the reading of the truth and the store's learning of it. */
  beforeAnswer: () => Promise<void> = async () => undefined

  /** Writes down that a call is under way; false when the generation it was admitted under has been overtaken. */
  begin(tenantId: string, call: OpenCall, generation: number | null): boolean {
    if (generation !== this.#generations.get(tenantId)) return false
    this.#open.push({ ...call, tenantId })
    return true
  }

  /** The receipt takes the place of the call under way, if there is one. */
  append(receipt: Omit<RecordedSpend, 'seq'>): RecordedSpend {
    const { tenantId, callId, tokens } = receipt
    const recorded = { ...receipt, seq: this.#seq(tenantId) + 1 }
    this.#receipts.push(recorded)
    const place = this.#open.findIndex((call) => call.tenantId === tenantId && call.callId === callId)
    for (const { atMs, claims } of place < 0 ? [] : this.#open.splice(place, 1)) {
      for (const { id, unit, amount, windowMs } of claims) {
        const used = unit === 'tokens' ? tokens : amount
        this.#uses.push({ tenantId, claimId: id, windowMs, atMs, amount: used })
      }
    }
    return recorded
  }

  sum(tenantId: string, account: Account): number {
    return this.#receipts
      .filter((receipt) => receipt.tenantId === tenantId && belongs(receipt, account))
      .reduce((total, receipt) => total + receipt.micros, 0)
  }

  async loadTenant(tenantId: string): Promise<TenantTruth> {
    this.loads++
    const generation = (this.#generations.get(tenantId) ?? 0) + 1
    this.#generations.set(tenantId, generation)
    this.onLoad(tenantId)
    const loaded = {
      generation,
      uses: this.#uses.filter((use) => use.tenantId === tenantId),
      open: this.#open.filter((call) => call.tenantId === tenantId),
    }
    await this.beforeAnswer()
    return loaded
  }

  async loadSpend(tenantId: string, accounts: readonly Account[]): Promise<LoadedSpend[]> {
    this.loads++
    const asOfSeq = this.#seq(tenantId)
    const sums = accounts.map((account) => ({ asOfSeq, spentMicros: this.sum(tenantId, account) }))
    await this.beforeAnswer()
    return sums
  }

  #seq(tenantId: string): number {
    return this.#receipts.filter((receipt) => receipt.tenantId === tenantId).length
  }
}

function belongs({ atMs, scopes }: RecordedSpend, account: Account): boolean {
  const within = atMs >= account.startMs && (account.endMs === null || atMs < account.endMs)
  return within && scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId)
}
