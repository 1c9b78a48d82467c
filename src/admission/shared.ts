import { unavailable } from '../errors.js'
import type {
  Account,
  ActualUse,
  AdmissionRequest,
  AdmissionStore,
  Decision,
  Pass,
  RecordedSpend,
} from './contract.js'
import { requireCountable, requireCounted } from './countable.js'
import { Generations } from './generations.js'
import { type GenerationKeys, TenantKeys } from './keys.js'
import { openRedis, RedisAway, type RedisLink } from './redis.js'
import { Reply } from './reply.js'
import { periodOf, ScriptCall } from './script-call.js'
import { readScripts, type Script } from './scripts.js'
import { readDecision, writeRequest } from './shared-decision.js'
import { readCall, SharedPass, writeCorrections } from './shared-pass.js'
import type { AdmissionTruth } from './truth.js'
import { UndeliveredTenants } from './undelivered.js'

const decideTimeoutMs = 15_000

interface SharedParts {
  readonly link: RedisLink
  readonly truth: AdmissionTruth
  readonly now: () => number | ''
}

type Writing = (script: ScriptCall, keys: GenerationKeys) => unknown

interface Answer {
  readonly reply: Reply
  readonly generation: number
}

/**
 * Admission for any number of processes, in one Redis. A decision is one script and one round trip. Everything there can
 * be lost at any moment and is then loaded from the truth; what could not be delivered is treated as lost.
 */
class SharedAdmission implements AdmissionStore {
  readonly #link: RedisLink
  readonly #truth: AdmissionTruth
  readonly #now: () => number | ''
  readonly #scripts = readScripts()
  readonly #generations: Generations
  readonly #undelivered = new UndeliveredTenants((tenantId) => this.#generations.forget(tenantId))
  readonly #opening = new Map<string, Promise<void>>()
  readonly #deliveries = new Set<Promise<void>>()

  constructor({ link, truth, now }: SharedParts) {
    this.#link = link
    this.#truth = truth
    this.#now = now
    this.#generations = new Generations({ link, truth, now, scripts: this.#scripts })
  }

  async admit(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, callId, claims, spend } = request
    requireCountable(request)
    if (claims.length === 0 && spend === null) {
      const atMs = Date.now()
      const pass = new SharedPass(tenantId, callId, atMs, [], [])
      return { admitted: true, pass, atMs, generation: null, standings: [], grantedMicros: null }
    }
    return await this.#need(tenantId, () => this.#decide(request))
  }

  async settle(pass: Pass, actual: ActualUse): Promise<void> {
    if (!(pass instanceof SharedPass)) throw new TypeError('The pass was given by another admission store')
    requireCounted(actual)
    if (pass.holdsNothing) return
    await this.#deliver(pass.tenantId, () => this.#settle(pass, actual))
  }

  async record(spends: readonly RecordedSpend[]): Promise<void> {
    const byTenant = new Map<string, RecordedSpend[]>()
    for (const spend of spends) {
      byTenant.set(spend.tenantId, [...(byTenant.get(spend.tenantId) ?? []), spend])
    }
    const deliveries = [...byTenant].map(([tenantId, told]) =>
      this.#deliver(tenantId, () => this.#record(tenantId, told)),
    )
    await Promise.all(deliveries)
  }

  async reservedMicros(tenantId: string, account: Account): Promise<number> {
    return await this.#need(tenantId, async () => {
      const { reply } = await this.#ask(tenantId, 0, this.#scripts.readHeld, (script, keys) => {
        script.key(keys.scope(account.scopeType, account.scopeId)).arg(periodOf(account))
      })
      return reply.number(0)
    })
  }

  async forget(tenantId: string): Promise<void> {
    this.#undelivered.mark(tenantId)
    await this.#undelivered.clear(tenantId).catch(() => undefined)
  }

  check(): Promise<void> {
    return this.#link.check()
  }

  async close(): Promise<void> {
    await Promise.all(this.#deliveries)
    await this.#undelivered.close()
    await this.#link.close()
  }

  async #decide(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, callId, spend, afterGeneration = 0 } = request
    for (;;) {
      const { reply, generation } = await this.#ask(
        tenantId,
        afterGeneration,
        this.#scripts.admit,
        (script, keys) => writeRequest(script.key(keys.pass(callId)).arg(this.#now()), request, keys),
      )
      if (reply.word !== 'unknown') return readDecision(reply, request, generation)
      const accounts = reply.texts.flatMap((place) => spend?.claims[Number(place)]?.account ?? [])
      await this.#openAccounts(tenantId, generation, accounts)
    }
  }

  /** Calls of this process that miss the same accounts share the question. Whoever waited asks again. */
  async #openAccounts(tenantId: string, generation: number, accounts: readonly Account[]): Promise<void> {
    const question = JSON.stringify([tenantId, generation, accounts])
    let opening = this.#opening.get(question)
    if (opening === undefined) {
      opening = this.#readSpend(tenantId, generation, accounts).finally(() => this.#opening.delete(question))
      this.#opening.set(question, opening)
    }
    await opening
  }

  async #readSpend(tenantId: string, generation: number, accounts: readonly Account[]): Promise<void> {
    const loaded = await this.#truth.loadSpend(tenantId, accounts)
    const known = loaded.flatMap((spend, i) => (accounts[i] ? [{ account: accounts[i], ...spend }] : []))
    await this.#run(tenantId, generation, this.#scripts.openAccounts, (script, keys) => {
      script.arg(this.#now()).list(known, ({ account, asOfSeq, spentMicros }) => {
        script.key(keys.scope(account.scopeType, account.scopeId))
        script.arg(periodOf(account), asOfSeq, spentMicros)
      })
    })
  }

  /** A tenant that the server does not know needs no correction: the truth will have it. */
  async #settle(pass: SharedPass, actual: ActualUse): Promise<void> {
    const { tenantId, callId, atMs } = pass
    let reply: Reply
    do {
      const generation = this.#generations.get(tenantId)
      reply = await this.#run(tenantId, generation, this.#scripts.settle, (script, keys) => {
        script.key(keys.pass(callId)).arg(this.#now(), atMs, actual.micros ?? '')
        writeCorrections(script, pass, actual, keys)
      })
    } while (reply.word === 'generation')
  }

  async #record(tenantId: string, spends: readonly RecordedSpend[]): Promise<void> {
    const { lock, early } = new TenantKeys(tenantId)
    for (;;) {
      const generation = this.#generations.get(tenantId)
      // What a pass says of its call never changes, so that it may be read before; but under the same generation.
      const passes = await this.#run(tenantId, generation, this.#scripts.readPasses, (script, keys) =>
        script.list(spends, ({ callId }) => script.key(keys.pass(callId))),
      )
      if (passes.word === 'generation') continue
      const told = spends.map((spend, i) => ({
        spend,
        pass: passes.word === 'passes' ? passes.texts[i] : '',
      }))
      const reply = await this.#run(tenantId, generation, this.#scripts.record, (script, keys) => {
        script
          .key(lock, early, keys.told)
          .arg(this.#now())
          .list(told, ({ spend, pass }) => {
            const { callId, seq, micros, tokens, atMs, scopes } = spend
            script.key(keys.pass(callId)).arg(callId, seq, micros, tokens, atMs)
            script.list(scopes, ([type, id]) => script.key(keys.scope(type, id)))
            writeCorrections(script, readCall(pass ?? ''), { tokens }, keys)
          })
      })
      if (reply.word !== 'generation') return
    }
  }

  /** Runs a script on the tenant as it is, loading it first where the server does not know it. */
  async #ask(tenantId: string, after: number, script: Script, write: Writing): Promise<Answer> {
    const deadline = performance.now() + decideTimeoutMs
    while (performance.now() < deadline) {
      await this.#undelivered.clear(tenantId)
      const generation = this.#generations.get(tenantId)
      if (generation === null || generation <= after) {
        await this.#generations.load(tenantId, after)
        continue
      }
      const reply = await this.#run(tenantId, generation, script, write)
      if (reply.word !== 'lost' && reply.word !== 'generation') return { reply, generation }
    }
    throw unavailable('The limits of this tenant could not be loaded in time')
  }

  /** Runs a script under a generation; if another one counts, it says so, and that is learnt. */
  async #run(tenantId: string, generation: number | null, script: Script, write: Writing): Promise<Reply> {
    const tenant = new TenantKeys(tenantId)
    const call = new ScriptCall().key(tenant.generation).arg(generation ?? '')
    write(call, tenant.under(generation))
    const reply = new Reply(await this.#link.run(script, call.keys, call.args))
    if (reply.word === 'lost') this.#generations.unlearn(tenantId)
    if (reply.word === 'generation') this.#generations.learn(tenantId, reply.number(0))
    return reply
  }

  /** For what cannot do without the server. */
  async #need<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RedisAway)) throw error
      // It may have been counted, and nobody would ever settle it.
      if (error.sent) this.#undelivered.mark(tenantId)
      throw unavailable('Limits cannot be checked at the moment; nothing was forwarded', error)
    }
  }

  /** For what must not fail because of the server. */
  async #deliver(tenantId: string, work: () => Promise<void>): Promise<void> {
    const delivery = work().catch((error) => {
      if (!(error instanceof RedisAway)) throw error
      this.#undelivered.mark(tenantId)
    })
    this.#deliveries.add(delivery)
    await delivery.finally(() => this.#deliveries.delete(delivery))
  }
}

export interface RedisAdmissionOptions {
  /** redis:// or rediss://, with user, password and database. */
  readonly url: string
  readonly truth: AdmissionTruth
  readonly log: { info(message: string): void; warn(message: string): void }
  /** After how long a call that needs Redis is refused when there is no answer. */
  readonly commandTimeoutMs?: number
  /** For tests; else the server's clock counts. */
  readonly clock?: { now(): number }
}

export async function createRedisAdmission(options: RedisAdmissionOptions): Promise<AdmissionStore> {
  const { url, truth, log, commandTimeoutMs = 1_000, clock } = options
  return new SharedAdmission({
    link: await openRedis({ url, commandTimeoutMs, log }),
    truth,
    now: clock ? () => Math.floor(clock.now() * 1000) : () => '',
  })
}
