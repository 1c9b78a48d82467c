import type { RecordHead } from '../format/chain.js'

const mostHeads = 1_000
const groupsOfDistrust = 64

/**
 * Where records end, as far as one writer knows: it moved them there itself. Someone else may have moved them since, so
 * whoever builds on this must be refused by the database then, and say so here.
 */
export class KnownHeads {
  readonly #heads = new Map<string, RecordHead>()
  #distrust = 0

  /** Null when the database must be asked: one of them is not known, or others have lately written to the same records. */
  find(tenantIds: readonly string[]): RecordHead[] | null {
    if (this.#distrust > 0) {
      this.#distrust--
      return null
    }
    const heads = tenantIds.flatMap((tenantId) => this.#heads.get(tenantId) ?? [])
    return heads.length === tenantIds.length ? heads : null
  }

  /** To be told only of what was committed. */
  learn(heads: readonly RecordHead[]): void {
    if (this.#heads.size > mostHeads) this.#heads.clear()
    for (const head of heads) this.#heads.set(head.tenant, head)
  }

  /** What was tried with these heads has failed, for whatever reason. */
  forget(): void {
    this.#heads.clear()
  }

  /** Someone else has moved them. Where several write, that is the rule, and trying costs a round trip. */
  distrust(): void {
    this.forget()
    this.#distrust = groupsOfDistrust
  }
}
