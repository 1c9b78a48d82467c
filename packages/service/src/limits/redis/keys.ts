/**
 * Where a tenant is kept. All keys of a tenant have its id in braces, which in a cluster puts them on one node. The
 * generation is part of the names of all that counts under it: what an older one left cannot be mistaken for it,
 * and lapses by itself.
 */
export class TenantKeys {
  readonly generation: string
  readonly lock: string
  readonly early: string
  readonly #base: string

  constructor(tenantId: string) {
    this.#base = `tallystick:{${tenantId}}`
    this.generation = `${this.#base}:generation`
    this.lock = `${this.#base}:loading`
    this.early = `${this.#base}:early`
  }

  /** Of an unknown generation, too: a script looks at nothing before it has seen that the generation is right. */
  under(generation: number | null): GenerationKeys {
    const base = `${this.#base}:${generation ?? ''}`
    return {
      reported: `${base}:told`,
      pass: (callId) => `${base}:call:${callId}`,
      window: (claimId) => `${base}:window:${claimId}`,
      scope: (type, id) => `${base}:spend:${type}:${id}`,
      held: (type, id) => `${base}:held:${type}:${id}`,
    }
  }
}

export interface GenerationKeys {
  readonly reported: string
  pass(callId: string): string
  window(claimId: string): string
  scope(type: string, id: string): string
  held(type: string, id: string): string
}
