import { unavailable } from '../../shared/errors.js'
import type { AdmissionTruth } from '../truth.js'
import { Generations } from './generations.js'
import { type GenerationKeys, TenantKeys } from './keys.js'
import { RedisAway, type RedisLink } from './redis.js'
import { Reply } from './reply.js'
import { ScriptCall } from './script-call.js'
import type { Script, Scripts } from './scripts.js'
import { UndeliveredTenants } from './undelivered.js'

const askTimeoutMs = 15_000

export interface SharedParts {
  readonly link: RedisLink
  readonly scripts: Scripts
  readonly truth: AdmissionTruth
  /** Microseconds, or nothing where the server's clock counts. */
  readonly now: () => number | ''
}

type Writing = (script: ScriptCall, keys: GenerationKeys) => unknown

/** What the tenant's state must include: generations after this one, loaded at this version of the limits or a later one. */
interface Needed {
  readonly after?: number
  readonly limitsVersion?: number
}

interface Answer {
  readonly reply: Reply
  readonly generation: number
}

/** Runs scripts on tenants, each under the generation that counts; and says what happens when the server does not answer. */
export class SharedTenants {
  readonly #link: RedisLink
  readonly #generations: Generations
  readonly #undelivered: UndeliveredTenants
  // Bounded: deliveries under way.
  readonly #deliveries = new Set<Promise<void>>()

  constructor(parts: SharedParts) {
    this.#link = parts.link
    this.#generations = new Generations(parts)
    this.#undelivered = new UndeliveredTenants((tenantId) => this.#generations.forget(tenantId))
  }

  generationOf(tenantId: string): number | null {
    return this.#generations.get(tenantId)?.number ?? null
  }

  /** Runs a script on the tenant as it is, loading it first where the server does not know it or knows less than is needed. */
  async ask(
    tenantId: string,
    { after = 0, limitsVersion = 0 }: Needed,
    script: Script,
    write: Writing,
  ): Promise<Answer> {
    const deadline = performance.now() + askTimeoutMs
    while (performance.now() < deadline) {
      await this.#undelivered.clear(tenantId)
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
      const reply = await this.run(tenantId, generation, script, write)
      if (reply.word !== 'lost' && reply.word !== 'generation') return { reply, generation }
    }
    throw unavailable('The limits of this tenant could not be loaded in time', undefined, 'limits')
  }

  /** Runs a script under a generation; if another one counts, it says so, and that is learnt. */
  async run(tenantId: string, generation: number | null, script: Script, write: Writing): Promise<Reply> {
    const tenant = new TenantKeys(tenantId)
    const call = new ScriptCall().key(tenant.generation).arg(generation ?? '')
    write(call, tenant.under(generation))
    const reply = new Reply(await this.#link.run(script, call.keys, call.args))
    if (reply.word === 'lost') this.#generations.unlearn(tenantId)
    if (reply.word === 'generation') this.#generations.learn(tenantId, reply)
    return reply
  }

  /** For what cannot do without the server. */
  async need<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error
      // It may have been counted, and nobody would ever settle it.
      if (error.sent) this.#undelivered.mark(tenantId)
      throw unavailable('Limits cannot be checked at the moment; nothing was forwarded', error, 'limits')
    }
  }

  /** For what can do without the server: its state of the tenant is then loaded again. */
  async prefer<T>(tenantId: string, work: () => Promise<T>, otherwise: () => T): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error
      this.#undelivered.mark(tenantId)
      return otherwise()
    }
  }

  /** For what must not fail because of the server. */
  async deliver(tenantId: string, work: () => Promise<void>): Promise<void> {
    const delivery = work().catch((error) => {
      if (!(error instanceof RedisAway)) throw error
      this.#undelivered.mark(tenantId)
    })
    this.#deliveries.add(delivery)
    await delivery.finally(() => this.#deliveries.delete(delivery))
  }

  /** At once, or as soon as the server is there. */
  async forget(tenantId: string): Promise<void> {
    this.#undelivered.mark(tenantId)
    await this.#undelivered.clear(tenantId).catch(() => undefined)
  }

  async close(): Promise<void> {
    await Promise.all(this.#deliveries)
    await this.#undelivered.close()
    await this.#link.close()
  }
}
