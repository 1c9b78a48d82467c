/**
 * The Redis keys of a tenant. Each has the tenant's id in braces, which puts all of them on one node of a cluster. The keys of a
 * generation contain its number, so that a newer generation never reads what an older one left. Old keys expire.
 */
export class TenantKeys {
  readonly generation: string
  readonly lock: string
  readonly pendingReceipts: string
  readonly #base: string

  constructor(tenantId: string) {
    this.#base = `tallystick:{${tenantId}}`
    this.generation = `${this.#base}:generation`
    this.lock = `${this.#base}:loading`
    this.pendingReceipts = `${this.#base}:pending`
  }

  /** Without a generation the keys name nothing. No script reads them then, because each checks the generation first. */
  ofGeneration(generation: number | null): GenerationKeys {
    const base = `${this.#base}:${generation ?? ''}`
    return {
      countedReceipts: `${base}:counted`,
      hold: (attemptId) => `${base}:hold:${attemptId}`,
      window: (claimId) => `${base}:window:${claimId}`,
      scope: (type, id) => `${base}:spend:${type}:${id}`,
      reserved: (type, id) => `${base}:reserved:${type}:${id}`,
    }
  }
}

export interface GenerationKeys {
  readonly countedReceipts: string
  hold(attemptId: string): string
  window(claimId: string): string
  scope(type: string, id: string): string
  reserved(type: string, id: string): string
}
