import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '../../shared/errors.js'
import type { AdmissionTruth } from '../truth.js'
import { TenantKeys } from './keys.js'
import type { RedisLink } from './redis.js'
import { Reply } from './reply.js'
import { publishTruth, stageUses } from './restore-tenant.js'
import type { Scripts } from './scripts.js'

const loadTimeoutMs = 10_000
const lookAgainMs = 10

interface GenerationParts {
  readonly link: RedisLink
  readonly scripts: Scripts
  readonly truth: AdmissionTruth
  /** Microseconds, or nothing where the server's clock counts. */
  readonly now: () => number | ''
}

export interface Generation {
  readonly number: number
  /** The version of the tenant's limits that it was loaded at. */
  readonly limitsVersion: number
}

/** Which generation each tenant is at, as far as this process knows; and how to get to one where the server has none. */
export class Generations {
  readonly #parts: GenerationParts
  // Bounded: a number for each tenant that called since the start.
  readonly #known = new Map<string, Generation>()
  // Bounded: loads under way, one for each tenant.
  readonly #loading = new Map<string, Promise<void>>()

  constructor(parts: GenerationParts) {
    this.#parts = parts
  }

  get(tenantId: string): Generation | null {
    return this.#known.get(tenantId) ?? null
  }

  /** `reply` says which generation counts. */
  learn(tenantId: string, reply: Reply): void {
    this.#known.set(tenantId, { number: reply.number(0), limitsVersion: reply.number(1) })
  }

  unlearn(tenantId: string): void {
    this.#known.delete(tenantId)
  }

  /** Makes the server know the tenant, by a generation after the given one. Calls of this process share the work. */
  load(tenantId: string, after: number): Promise<void> {
    const underWay = this.#loading.get(tenantId)
    if (underWay) return underWay
    const loading = this.#load(tenantId, after).finally(() => this.#loading.delete(tenantId))
    this.#loading.set(tenantId, loading)
    return loading
  }

  async forget(tenantId: string, token = ''): Promise<void> {
    const { link, scripts } = this.#parts
    const { generation, lock } = new TenantKeys(tenantId)
    await link.run(scripts.forget, [generation, lock], [token])
    this.unlearn(tenantId)
  }

  async #load(tenantId: string, after: number): Promise<void> {
    const { link, scripts } = this.#parts
    const { generation, lock, early } = new TenantKeys(tenantId)
    const token = randomUUID()
    const deadline = performance.now() + loadTimeoutMs
    while (performance.now() < deadline) {
      const args = [token, after, loadTimeoutMs]
      const reply = new Reply(await link.run(scripts.beginLoad, [generation, lock, early], args))
      if (reply.word === 'generation') {
        this.learn(tenantId, reply)
        return
      }
      if (reply.word === 'load') await this.#loadLocked(tenantId, token)
      else await pause(lookAgainMs)
    }
    throw unavailable('What counts for this tenant could not be loaded in time', undefined, 'limits')
  }

  /** Whether it went well is seen when the server is asked again: somebody may have forgotten the tenant meanwhile. */
  async #loadLocked(tenantId: string, token: string): Promise<void> {
    try {
      const { truth, link, scripts, now } = this.#parts
      const loaded = await truth.loadTenant(tenantId)
      for (const { keys, args } of stageUses(tenantId, loaded)) await link.run(scripts.stage, keys, args)
      const { keys, args } = publishTruth(tenantId, loaded, token, now())
      await link.run(scripts.publish, keys, args)
    } catch (error) {
      // Those who wait for it need not wait for the lock to lapse.
      await this.forget(tenantId, token).catch(() => undefined)
      throw error
    }
  }
}
