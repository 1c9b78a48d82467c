import type { SpendAccount } from '../../shared/spend-account.js'
import type { RecordedSpend } from '../contract.js'
import type { AdmissionTruth, AdmittedCall, LoadedSpend, TenantTruth, Use } from '../truth.js'

class TenantRecord {
  generation = 0
  limitsVersion = 0
  readonly receipts: RecordedSpend[] = []
  readonly uses: Use[] = []
  readonly open = new Map<string, AdmittedCall>()
}

/** The record and the calls under way as plain lists: what a store must agree with. */
export class LedgerOfTruth implements AdmissionTruth {
  readonly #tenants = new Map<string, TenantRecord>()
  loads = 0
  onLoad: (tenantId: string) => void = () => undefined
  /** What happens between the reading of the truth and the store's learning of it. */
  beforeAnswer: () => Promise<void> = async () => undefined

  /** Writes down that a call is under way; false when the generation it was admitted under has been overtaken. */
  begin(tenantId: string, call: AdmittedCall, generation: number | null): boolean {
    const tenant = this.#of(tenantId)
    if (generation !== tenant.generation) return false
    tenant.open.set(call.callId, call)
    return true
  }

  /** Notes calls that had a receipt and claimed nothing, since no limit applied to them. */
  noteUnclaimed(tenantId: string, uses: readonly Use[]): void {
    this.#of(tenantId).uses.push(...uses)
  }

  /** A limit begins to apply; answers with the version of the limits from which it does. */
  beginLimit(tenantId: string): number {
    return ++this.#of(tenantId).limitsVersion
  }

  /** The receipt takes the place of the call under way, if there is one. */
  append(receipt: Omit<RecordedSpend, 'seq'>): RecordedSpend {
    const { receipts, uses, open } = this.#of(receipt.tenantId)
    const recorded = { ...receipt, seq: receipts.length + 1 }
    receipts.push(recorded)
    const call = open.get(receipt.callId)
    for (const { id, unit, amount, windowMs } of call?.claims ?? []) {
      const used = unit === 'tokens' ? receipt.tokens : amount
      uses.push({ claimId: id, windowMs, atMs: call?.atMs ?? receipt.atMs, amount: used })
    }
    open.delete(receipt.callId)
    return recorded
  }

  sum(tenantId: string, account: SpendAccount): number {
    return this.#of(tenantId)
      .receipts.filter((receipt) => belongs(receipt, account))
      .reduce((total, receipt) => total + receipt.nanos, 0)
  }

  async loadTenant(tenantId: string): Promise<TenantTruth> {
    this.loads++
    const tenant = this.#of(tenantId)
    tenant.generation++
    this.onLoad(tenantId)
    const { generation, limitsVersion } = tenant
    const loaded = { generation, limitsVersion, uses: [...tenant.uses], open: [...tenant.open.values()] }
    await this.beforeAnswer()
    return loaded
  }

  async loadSpend(tenantId: string, accounts: readonly SpendAccount[]): Promise<LoadedSpend[]> {
    this.loads++
    const asOfSeq = this.#of(tenantId).receipts.length
    const sums = accounts.map((account) => ({ asOfSeq, spentNanos: this.sum(tenantId, account) }))
    await this.beforeAnswer()
    return sums
  }

  #of(tenantId: string): TenantRecord {
    let tenant = this.#tenants.get(tenantId)
    if (tenant === undefined) {
      tenant = new TenantRecord()
      this.#tenants.set(tenantId, tenant)
    }
    return tenant
  }
}

function belongs({ atMs, scopes }: RecordedSpend, account: SpendAccount): boolean {
  const within = atMs >= account.startMs && (account.endMs === null || atMs < account.endMs)
  return within && scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId)
}
