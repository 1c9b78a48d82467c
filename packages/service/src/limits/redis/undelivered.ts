import { type Periodic, startPeriodic } from '../../db/index.js'

const tryAgainMs = 250

/**
 * Tenants for which a write to Redis failed or has an unknown result: their state there may be wrong. It is deleted as
 * soon as Redis can be reached, and before this process decides anything more for them.
 */
export class UndeliveredTenants {
  readonly #forget: (tenantId: string) => Promise<void>
  /** Counts up, so that a mark set while the tenant is being forgotten stays. */
  // Bounded: a number for each tenant whose state in Redis is in doubt; cleared as soon as Redis answers.
  readonly #marks = new Map<string, number>()
  #loop: Periodic | null = null

  constructor(forget: (tenantId: string) => Promise<void>) {
    this.#forget = forget
  }

  mark(tenantId: string): void {
    this.#marks.set(tenantId, (this.#marks.get(tenantId) ?? 0) + 1)
    this.#loop ??= startPeriodic({
      run: () => this.#clearAll(),
      everyMs: tryAgainMs,
      endsWithRun: true,
      onError: () => undefined,
    })
  }

  /** Throws when Redis cannot be reached. */
  async clear(tenantId: string): Promise<void> {
    const marks = this.#marks.get(tenantId)
    if (marks === undefined) return
    await this.#forget(tenantId)
    if (this.#marks.get(tenantId) === marks) this.#marks.delete(tenantId)
  }

  async close(): Promise<void> {
    await this.#loop?.close()
  }

  async #clearAll(): Promise<void> {
    await Promise.allSettled([...this.#marks.keys()].map((tenantId) => this.clear(tenantId)))
  }
}
