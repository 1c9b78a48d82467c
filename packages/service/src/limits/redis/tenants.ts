import { unavailable } from '../../shared/errors.js'
import { type RedisConnection, RedisUnavailable } from './connection.js'
import { Generations } from './generations.js'
import { type GenerationKeys, TenantKeys } from './keys.js'
import type { RedisAdmissionParts } from './parts.js'
import { Reply } from './reply.js'
import { ScriptCall } from './script-call.js'
import type { Script } from './scripts.js'
import { StaleTenants } from './stale-tenants.js'

const runTimeoutMs = 15_000

type WriteArguments = (script: ScriptCall, keys: GenerationKeys) => unknown

/** The generation that a script needs: newer than `after`, and loaded at this version of the limits or a later one. */
interface RequiredState {
  readonly after?: number
  readonly limitsVersion?: number
}

interface CurrentReply {
  readonly reply: Reply
  readonly generation: number
}

/** Runs scripts on the current generation of a tenant, and decides what happens when Redis cannot be reached. */
export class RedisTenants {
  readonly #connection: RedisConnection
  readonly #generations: Generations
  readonly #staleTenants: StaleTenants
  // Bounded: deliveries in progress.
  readonly #deliveries = new Set<Promise<void>>()

  constructor(parts: RedisAdmissionParts) {
    this.#connection = parts.connection
    this.#generations = new Generations(parts)
    this.#staleTenants = new StaleTenants((tenantId) => this.#generations.forgetTenant(tenantId))
  }

  generationOf(tenantId: string): number | null {
    return this.#generations.get(tenantId)?.number ?? null
  }

  /** Runs a script on the current generation. Loads the tenant first when the server does not have the required state. */
  async runOnCurrentGeneration(
    tenantId: string,
    { after = 0, limitsVersion = 0 }: RequiredState,
    script: Script,
    write: WriteArguments,
  ): Promise<CurrentReply> {
    const deadline = performance.now() + runTimeoutMs
    while (performance.now() < deadline) {
      await this.#staleTenants.clear(tenantId)
      const known = this.#generations.get(tenantId)
      if (known === null || known.number <= after) {
        await this.#generations.load(tenantId, after)
        continue
      }
      const generation = known.number
      if (known.limitsVersion < limitsVersion) {
        await this.#generations.load(tenantId, generation)
        continue
      }
      const reply = await this.runOnGeneration(tenantId, generation, script, write)
      if (reply.kind !== 'not loaded' && reply.kind !== 'generation') return { reply, generation }
    }
    throw unavailable('The limits of this tenant could not be loaded in time', undefined, 'limits')
  }

  /** Runs a script on a generation. When another one is current, the script does nothing, and its reply is remembered. */
  async runOnGeneration(
    tenantId: string,
    generation: number | null,
    script: Script,
    write: WriteArguments,
  ): Promise<Reply> {
    const tenant = new TenantKeys(tenantId)
    const call = new ScriptCall().addKeys(tenant.generation).addArguments(generation ?? '')
    write(call, tenant.ofGeneration(generation))
    const reply = new Reply(await this.#connection.run(script, call.keys, call.args))
    if (reply.kind === 'not loaded') this.#generations.delete(tenantId)
    if (reply.kind === 'generation') this.#generations.setFrom(tenantId, reply)
    return reply
  }

  /** Runs work that fails without Redis. */
  async requireRedis<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error
      // The call may have been counted, and would never be settled.
      if (error.mayHaveRun) this.#staleTenants.mark(tenantId)
      throw unavailable('Limits cannot be checked at the moment; nothing was forwarded', error, 'limits')
    }
  }

  /** Runs work that has an alternative. After the alternative, the state of the tenant in Redis is loaded again, because it lacks this work. */
  async preferRedis<T>(tenantId: string, work: () => Promise<T>, otherwise: () => T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RedisUnavailable)) throw error
      this.#staleTenants.mark(tenantId)
      return otherwise()
    }
  }

  /** Runs work that must not fail without Redis. When Redis did not do it, the state of the tenant in Redis is loaded again. */
  async deliverToRedis(tenantId: string, work: () => Promise<void>): Promise<void> {
    const delivery = work().catch((error) => {
      if (!(error instanceof RedisUnavailable)) throw error
      this.#staleTenants.mark(tenantId)
    })
    this.#deliveries.add(delivery)
    await delivery.finally(() => this.#deliveries.delete(delivery))
  }

  /** Deletes the state of a tenant at once, or as soon as Redis can be reached. */
  async forgetTenant(tenantId: string): Promise<void> {
    this.#staleTenants.mark(tenantId)
    await this.#staleTenants.clear(tenantId).catch(() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all(this.#deliveries)
    await this.#staleTenants.close()
    await this.#connection.close()
  }
}
