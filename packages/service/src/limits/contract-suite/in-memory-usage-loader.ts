import { isInPeriod, type SpendAccount } from '../../shared/spend-account.js'
import type { ReceiptSpend } from '../contract.js'
import type { AccountSpend, AdmittedCall, RecordedUse, TenantUsage, UsageLoader } from '../usage-loader.js'

class TenantRecord {
  generation = 0
  limitsVersion = 0
  readonly receipts: ReceiptSpend[] = []
  readonly uses: RecordedUse[] = []
  readonly open = new Map<string, AdmittedCall>()
}

/** Receipts and open calls as plain lists, from which stores under test load their state. */
export class InMemoryUsageLoader implements UsageLoader {
  readonly #tenants = new Map<string, TenantRecord>()
  loads = 0
  onLoad: (tenantId: string) => void = () => undefined
  /** Runs between a read and its return to the store. */
  beforeReturn: () => Promise<void> = async () => undefined

  /** Stores an open call. Returns false when a newer generation than that of its admission has been loaded. */
  openCall(tenantId: string, call: AdmittedCall, generation: number | null): boolean {
    const tenant = this.#of(tenantId)
    if (generation !== tenant.generation) return false
    tenant.open.set(call.attemptId, call)
    return true
  }

  /** Adds the usage of calls that have a receipt and claimed nothing, because no limit applied to them. */
  addUnclaimedUses(tenantId: string, uses: readonly RecordedUse[]): void {
    this.#of(tenantId).uses.push(...uses)
  }

  /** Makes a limit begin to apply. Returns the limits version from which it does. */
  beginLimit(tenantId: string): number {
    return ++this.#of(tenantId).limitsVersion
  }

  /** Appends a receipt, and removes the open call that it belongs to. */
  appendReceipt(receipt: Omit<ReceiptSpend, 'seq'>): ReceiptSpend {
    const { receipts, uses, open } = this.#of(receipt.tenantId)
    const recorded = { ...receipt, seq: receipts.length + 1 }
    receipts.push(recorded)
    const call = open.get(receipt.attemptId)
    for (const { id, unit, amount, windowMs } of call?.claims ?? []) {
      const used = unit === 'tokens' ? receipt.tokens : amount
      uses.push({ claimId: id, windowMs, atMs: call?.atMs ?? receipt.atMs, amount: used })
    }
    open.delete(receipt.attemptId)
    return recorded
  }

  sumSpend(tenantId: string, account: SpendAccount): number {
    return this.#of(tenantId)
      .receipts.filter((receipt) => countsIn(account, receipt))
      .reduce((total, receipt) => total + receipt.nanos, 0)
  }

  async loadTenantUsage(tenantId: string): Promise<TenantUsage> {
    this.loads++
    const tenant = this.#of(tenantId)
    tenant.generation++
    this.onLoad(tenantId)
    const { generation, limitsVersion } = tenant
    const usage = {
      ...{ generation, limitsVersion },
      ...{ uses: [...tenant.uses], openCalls: [...tenant.open.values()] },
    }
    await this.beforeReturn()
    return usage
  }

  async loadAccountSpend(tenantId: string, accounts: readonly SpendAccount[]): Promise<AccountSpend[]> {
    this.loads++
    const asOfSeq = this.#of(tenantId).receipts.length
    const sums = accounts.map((account) => ({ asOfSeq, spentNanos: this.sumSpend(tenantId, account) }))
    await this.beforeReturn()
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

function countsIn(account: SpendAccount, { atMs, scopes }: ReceiptSpend): boolean {
  const isInScope = scopes.some(([type, id]) => type === account.scopeType && id === account.scopeId)
  return isInScope && isInPeriod(account, atMs)
}
