import type { StoredHead } from './heads.js'

const maxHeads = 1_000
// How many groups lease their heads after another writer was first. Afterwards the remembered heads are used again.
const leasedGroups = 64

/**
 * Remembers the heads of records after the last commit of this writer, so that the next commit needs one round trip instead of two.
 * Measured without fsync: a group of 1 to 8 receipts takes 75 % of the time and of the process's CPU, a group of 64 takes 95 %. If another
 * writer has moved a head since, the database refuses the group.
 */
export class KnownHeads {
  // Bounded: cleared at 1,000 and one group.
  readonly #heads = new Map<string, StoredHead>()
  #leasedGroupsLeft = 0

  /** Returns whether a group must lease its heads, because another writer was first recently. Counts down: call it once for each group. */
  shouldLease(): boolean {
    if (this.#leasedGroupsLeft === 0) return false
    this.#leasedGroupsLeft--
    return true
  }

  /** Returns the heads of these tenants, or null when one of them is not known. */
  find(tenantIds: readonly string[]): StoredHead[] | null {
    const heads = tenantIds.flatMap((tenantId) => this.#heads.get(tenantId) ?? [])
    return heads.length === tenantIds.length ? heads : null
  }

  /** Stores a head whose commit the database has confirmed. */
  remember(head: StoredHead): void {
    if (this.#heads.size > maxHeads) this.#heads.clear()
    this.#heads.set(head.tenant, head)
  }

  /** Discards all heads. Must be called when a commit failed for any reason other than another writer. */
  forget(): void {
    this.#heads.clear()
  }

  /**
   * Must be called when another writer was first. With several writers that is normal, and composing groups that are refused costs more
   * than leasing heads: without leases, three busy writers had half the throughput.
   */
  markContended(): void {
    this.forget()
    this.#leasedGroupsLeft = leasedGroups
  }
}
