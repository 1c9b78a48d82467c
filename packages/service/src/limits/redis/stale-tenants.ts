import { type Periodic, startPeriodic } from '../../db/index.js'

const retryMs = 250

/**
 * The tenants for which a write to Redis failed or has an unknown result, so that their state in Redis may be wrong. It is deleted as
 * soon as Redis can be reached, and before this process makes another decision for them.
 */
export class StaleTenants {
  readonly #forget: (tenantId: string) => Promise<void>
  /** The number of failures for each tenant. It tells whether another write failed while the state was being deleted. */
  // Bounded: one for each tenant whose state in Redis may be wrong; removed as soon as Redis answers.
  readonly #failures = new Map<string, number>()
  #loop: Periodic | null = null

  constructor(forget: (tenantId: string) => Promise<void>) {
    this.#forget = forget
  }

  mark(tenantId: string): void {
    this.#failures.set(tenantId, (this.#failures.get(tenantId) ?? 0) + 1)
    this.#loop ??= startPeriodic({
      run: () => this.#clearAll(),
      everyMs: retryMs,
      endsWithRun: true,
      onError: () => undefined,
    })
  }

  /** Deletes the state of a tenant that was marked. Throws when Redis cannot be reached. */
  async clear(tenantId: string): Promise<void> {
    const failures = this.#failures.get(tenantId)
    if (failures === undefined) return
    await this.#forget(tenantId)
    if (this.#failures.get(tenantId) === failures) this.#failures.delete(tenantId)
  }

  async close(): Promise<void> {
    await this.#loop?.close()
  }

  async #clearAll(): Promise<void> {
    await Promise.allSettled([...this.#failures.keys()].map((tenantId) => this.clear(tenantId)))
  }
}
