import type { RecordHead } from '../format/chain.js'

const maxHeads = 1_000
const groupsToSkip = 64

/**
 * Remembers where records end after this writer's last commit, so that the next commit needs one round trip instead of
 * two: measured without fsync, a group of 1 to 8 receipts takes 0.75 of the time and of the process's CPU, one of 64
 * takes 0.95. Another writer may have moved a head since; the database then refuses the numbers.
 */
export class KnownHeads {
  readonly #heads = new Map<string, RecordHead>()
  #groupsToSkip = 0

  /** Null when the heads must be read: one is not known, or others have recently written to the same records. */
  find(tenantIds: readonly string[]): RecordHead[] | null {
    if (this.#groupsToSkip > 0) {
      this.#groupsToSkip--
      return null
    }
    const heads = tenantIds.flatMap((tenantId) => this.#heads.get(tenantId) ?? [])
    return heads.length === tenantIds.length ? heads : null
  }

  /** Call it only after the commit. */
  remember(heads: readonly RecordHead[]): void {
    if (this.#heads.size > maxHeads) this.#heads.clear()
    for (const head of heads) this.#heads.set(head.tenant, head)
  }

  /** Call it when a commit failed for any other reason than another writer. */
  forget(): void {
    this.#heads.clear()
  }

  /** Call it when another writer has moved a head. With several writers that is normal, and each try costs a round trip. */
  backOff(): void {
    this.forget()
    this.#groupsToSkip = groupsToSkip
  }
}
