import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '../../shared/errors.js'
import { TenantKeys } from './keys.js'
import type { RedisAdmissionParts } from './parts.js'
import { publishGeneration, writeUses } from './publish-generation.js'
import { Reply } from './reply.js'

const loadTimeoutMs = 10_000
const retryMs = 10

export interface Generation {
  readonly number: number
  /** The version of the tenant's limits that it was loaded at. */
  readonly limitsVersion: number
}

/** Remembers the last known generation of each tenant, and loads tenants that the server does not know. */
export class Generations {
  readonly #parts: RedisAdmissionParts
  // Bounded: a number for each tenant that called since the start.
  readonly #known = new Map<string, Generation>()
  // Bounded: loads in progress, at most one for each tenant.
  readonly #loading = new Map<string, Promise<void>>()

  constructor(parts: RedisAdmissionParts) {
    this.#parts = parts
  }

  get(tenantId: string): Generation | null {
    return this.#known.get(tenantId) ?? null
  }

  /** Stores the generation that a script replied with. */
  setFrom(tenantId: string, reply: Reply): void {
    this.#known.set(tenantId, { number: reply.numberAt(0), limitsVersion: reply.numberAt(1) })
  }

  delete(tenantId: string): void {
    this.#known.delete(tenantId)
  }

  /** Makes a generation newer than `after` the current one on the server. Concurrent calls of this process share one load. */
  load(tenantId: string, after: number): Promise<void> {
    const started = this.#loading.get(tenantId)
    if (started) return started
    const loading = this.#load(tenantId, after).finally(() => this.#loading.delete(tenantId))
    this.#loading.set(tenantId, loading)
    return loading
  }

  async forgetTenant(tenantId: string, token = ''): Promise<void> {
    const { connection, scripts } = this.#parts
    const { generation, lock } = new TenantKeys(tenantId)
    await connection.run(scripts.forgetTenant, [generation, lock], [token])
    this.delete(tenantId)
  }

  async #load(tenantId: string, after: number): Promise<void> {
    const { connection, scripts } = this.#parts
    const { generation, lock, pendingReceipts } = new TenantKeys(tenantId)
    const token = randomUUID()
    const deadline = performance.now() + loadTimeoutMs
    while (performance.now() < deadline) {
      const args = [token, after, loadTimeoutMs]
      const reply = new Reply(
        await connection.run(scripts.beginLoad, [generation, lock, pendingReceipts], args),
      )
      if (reply.kind === 'generation') {
        this.setFrom(tenantId, reply)
        return
      }
      if (reply.kind === 'load') await this.#loadWithLock(tenantId, token)
      else await pause(retryMs)
    }
    throw unavailable('The usage of this tenant could not be loaded in time', undefined, 'limits')
  }

  /** The caller asks the server again afterwards, because another client may have discarded the tenant in the meantime. */
  async #loadWithLock(tenantId: string, token: string): Promise<void> {
    try {
      const { usageLoader, connection, scripts, now } = this.#parts
      const usage = await usageLoader.loadTenantUsage(tenantId)
      for (const { keys, args } of writeUses(tenantId, usage))
        await connection.run(scripts.writeUses, keys, args)
      const { keys, args } = publishGeneration(tenantId, usage, token, now())
      await connection.run(scripts.publishGeneration, keys, args)
    } catch (error) {
      // Other clients can then load the tenant without waiting for the lock to expire.
      await this.forgetTenant(tenantId, token).catch(() => undefined)
      throw error
    }
  }
}
