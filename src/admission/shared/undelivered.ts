const tryAgainMs = 250

/**
 * Tenants of which something was not delivered, or perhaps not: what the server knows of them may differ from the truth.
 * They are forgotten as soon as the server can be told, and before this process decides anything more for them.
 */
export class UndeliveredTenants {
  readonly #forget: (tenantId: string) => Promise<void>
  /** Counts up, so that a mark set while the tenant is being forgotten stays. */
  readonly #marks = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null

  constructor(forget: (tenantId: string) => Promise<void>) {
    this.#forget = forget
  }

  mark(tenantId: string): void {
    this.#marks.set(tenantId, (this.#marks.get(tenantId) ?? 0) + 1)
    this.#timer ??= setInterval(() => this.#clearAll(), tryAgainMs).unref()
  }

  /** Throws when the server cannot be told. */
  async clear(tenantId: string): Promise<void> {
    const marks = this.#marks.get(tenantId)
    if (marks === undefined) return
    await this.#forget(tenantId)
    if (this.#marks.get(tenantId) === marks) this.#marks.delete(tenantId)
  }

  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer)
    await this.#clearAll()
  }

  async #clearAll(): Promise<void> {
    await Promise.allSettled([...this.#marks.keys()].map((tenantId) => this.clear(tenantId)))
    if (this.#marks.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}
