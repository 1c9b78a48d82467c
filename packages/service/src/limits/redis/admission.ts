import type { SpendAccount } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  AdmissionStore,
  Claim,
  Decision,
  LimitStatus,
  Pass,
  RecordedSpend,
} from '../contract.js'
import { requireCountable, requireCounted, versionNeeded } from '../countable.js'
import type { AdmissionTruth } from '../truth.js'
import { readDecision, readLimitStatuses, writeRequest } from './decision.js'
import { TenantKeys } from './keys.js'
import { OwnPasses } from './own-passes.js'
import { readCall, SharedPass, writeCorrections } from './pass.js'
import { openRedis } from './redis.js'
import type { Reply } from './reply.js'
import { periodOf } from './script-call.js'
import { readScripts } from './scripts.js'
import { type SharedParts, SharedTenants } from './tenants.js'

const nothingUsed: ActualUse = { requests: 0, tokens: 0 }

/**
 * Admission for any number of processes, in one Redis. A decision is one script and one round trip. Everything there can
 * be lost at any moment and is then loaded from the truth; what could not be delivered is treated as lost.
 */
class SharedAdmission implements AdmissionStore {
  readonly #parts: SharedParts
  readonly #tenants: SharedTenants
  readonly #passes = new OwnPasses()
  // Bounded: questions under way.
  readonly #opening = new Map<string, Promise<void>>()

  constructor(parts: SharedParts) {
    this.#parts = parts
    this.#tenants = new SharedTenants(parts)
  }

  async admit(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, callId, claims, spend } = request
    requireCountable(request)
    if (claims.length === 0 && spend === null) {
      const atMs = Date.now()
      const pass = new SharedPass(tenantId, callId, atMs, [], [])
      this.#passes.keep(pass)
      return { admitted: true, pass, atMs, generation: null, limitStatuses: [], grantedNanos: null }
    }
    const isLimited = claims.length > 0 || (spend !== null && spend.claims.length > 0)
    const decision = isLimited
      ? await this.#tenants.need(tenantId, () => this.#decide(request))
      : await this.#tenants.prefer(
          tenantId,
          () => this.#decide(request),
          () => this.#admitUncounted(request),
        )
    if (decision.admitted && decision.pass instanceof SharedPass) this.#passes.keep(decision.pass)
    return decision
  }

  /** A call that no limit applies to need not wait for the server: once that is back, it is loaded from the truth. */
  #admitUncounted({ tenantId, callId, spend }: AdmissionRequest): Decision {
    const atMs = Date.now()
    const pass = new SharedPass(tenantId, callId, atMs, [], [])
    const grantedNanos = spend?.maxNanos ?? null
    return { admitted: true, pass, atMs, generation: null, limitStatuses: [], grantedNanos }
  }

  async settle(pass: Pass, actual: ActualUse): Promise<void> {
    if (!(pass instanceof SharedPass)) throw new TypeError('The pass was given by another admission store')
    requireCounted(actual)
    await this.#tenants.deliver(pass.tenantId, () => this.#settle(pass, actual, false))
  }

  async release(pass: Pass): Promise<void> {
    if (!(pass instanceof SharedPass)) throw new TypeError('The pass was given by another admission store')
    this.#passes.forget(pass.callId)
    await this.#tenants.deliver(pass.tenantId, () => this.#settle(pass, nothingUsed, true))
  }

  async record(spends: readonly RecordedSpend[]): Promise<void> {
    const byTenant = new Map<string, RecordedSpend[]>()
    for (const spend of spends) {
      byTenant.set(spend.tenantId, [...(byTenant.get(spend.tenantId) ?? []), spend])
    }
    const deliveries = [...byTenant].map(([tenantId, reported]) =>
      this.#tenants.deliver(tenantId, () => this.#record(tenantId, reported)),
    )
    await Promise.all(deliveries)
  }

  async limitStatuses(tenantId: string, claims: readonly Claim[]): Promise<LimitStatus[]> {
    if (claims.length === 0) return []
    return await this.#tenants.need(tenantId, async () => {
      const { readWindows } = this.#parts.scripts
      const needed = { limitsVersion: versionNeeded(claims) }
      const { reply } = await this.#tenants.ask(tenantId, needed, readWindows, (script, keys) => {
        script.arg(this.#parts.now())
        script.list(claims, ({ id, windowMs }) => script.key(keys.window(id)).arg(windowMs))
      })
      return readLimitStatuses(reply, 1, claims, reply.number(0))
    })
  }

  async reservedNanos(tenantId: string, account: SpendAccount): Promise<number> {
    return await this.#tenants.need(tenantId, async () => {
      const { reply } = await this.#tenants.ask(
        tenantId,
        {},
        this.#parts.scripts.readHeld,
        (script, keys) => {
          script.key(keys.held(account.scopeType, account.scopeId)).arg(periodOf(account))
        },
      )
      return reply.number(0)
    })
  }

  async forget(tenantId: string): Promise<void> {
    await this.#tenants.forget(tenantId)
  }

  check(): Promise<void> {
    return this.#parts.link.check()
  }

  async close(): Promise<void> {
    await this.#tenants.close()
  }

  async #decide(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, callId, claims, spend, afterGeneration } = request
    const needed = { after: afterGeneration ?? 0, limitsVersion: versionNeeded(claims) }
    for (;;) {
      const { reply, generation } = await this.#tenants.ask(
        tenantId,
        needed,
        this.#parts.scripts.admit,
        (script, keys) => writeRequest(script.key(keys.pass(callId)).arg(this.#parts.now()), request, keys),
      )
      if (reply.word !== 'unknown') return readDecision(reply, request, generation)
      const accounts = reply.texts.flatMap((place) => spend?.claims[Number(place)]?.account ?? [])
      await this.#openAccounts(tenantId, generation, accounts)
    }
  }

  /** Calls of this process that need the same accounts share one read. Each asks again after it. */
  async #openAccounts(
    tenantId: string,
    generation: number,
    accounts: readonly SpendAccount[],
  ): Promise<void> {
    const question = JSON.stringify([tenantId, generation, accounts])
    let opening = this.#opening.get(question)
    if (opening === undefined) {
      opening = this.#readSpend(tenantId, generation, accounts).finally(() => this.#opening.delete(question))
      this.#opening.set(question, opening)
    }
    await opening
  }

  async #readSpend(tenantId: string, generation: number, accounts: readonly SpendAccount[]): Promise<void> {
    const loaded = await this.#parts.truth.loadSpend(tenantId, accounts)
    const known = loaded.flatMap((spend, i) => (accounts[i] ? [{ account: accounts[i], ...spend }] : []))
    await this.#tenants.run(tenantId, generation, this.#parts.scripts.openAccounts, (script, keys) => {
      script.arg(this.#parts.now()).list(known, ({ account, asOfSeq, spentNanos }) => {
        script.key(keys.scope(account.scopeType, account.scopeId))
        script.arg(periodOf(account), asOfSeq, spentNanos)
      })
    })
  }

  /** A tenant that the server does not know needs no correction: the truth will have it. */
  async #settle(pass: SharedPass, actual: ActualUse, neverMade: boolean): Promise<void> {
    const { tenantId, callId, atMs } = pass
    if (neverMade ? pass.holdsNothing : pass.claims.length === 0) return
    let reply: Reply
    do {
      const generation = this.#tenants.generationOf(tenantId)
      reply = await this.#tenants.run(tenantId, generation, this.#parts.scripts.settle, (script, keys) => {
        script.key(keys.pass(callId)).arg(this.#parts.now(), atMs, neverMade ? 1 : 0)
        writeCorrections(script, pass, actual, keys)
      })
    } while (reply.word === 'generation')
  }

  async #record(tenantId: string, spends: readonly RecordedSpend[]): Promise<void> {
    const { lock, early } = new TenantKeys(tenantId)
    let reply: Reply
    do {
      const generation = this.#tenants.generationOf(tenantId)
      const foreign = await this.#readForeignPasses(tenantId, generation, spends)
      reply = await this.#tenants.run(tenantId, generation, this.#parts.scripts.record, (script, keys) => {
        script
          .key(lock, early, keys.reported)
          .arg(this.#parts.now())
          .list(spends, (spend) => {
            const { callId, seq, nanos, tokens, atMs, scopes } = spend
            const pass = this.#passes.get(callId) ?? readCall(foreign.get(callId) ?? '')
            script.key(keys.pass(callId)).arg(callId, seq, nanos, tokens, atMs)
            script.list(scopes, ([type, id]) => script.key(keys.scope(type, id)))
            writeCorrections(script, pass, { tokens }, keys)
          })
      })
    } while (reply.word === 'generation')
    for (const { callId } of spends) this.#passes.forget(callId)
  }

  /**
   * What passes say of calls that another process admitted. It never changes, so that it may be read before; but it must be
   * of the generation for which it is used, for under another one a pass may be where there was none.
   */
  async #readForeignPasses(
    tenantId: string,
    generation: number | null,
    spends: readonly RecordedSpend[],
  ): Promise<Map<string, string>> {
    const foreign = spends.filter(({ callId }) => this.#passes.get(callId) === undefined)
    if (foreign.length === 0) return new Map()
    const reply = await this.#tenants.run(
      tenantId,
      generation,
      this.#parts.scripts.readPasses,
      (script, keys) => script.list(foreign, ({ callId }) => script.key(keys.pass(callId))),
    )
    if (reply.word !== 'passes') return new Map()
    return new Map(foreign.map(({ callId }, i) => [callId, reply.texts[i] ?? '']))
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
    scripts: readScripts(),
    truth,
    now: clock ? () => Math.floor(clock.now() * 1000) : () => '',
  })
}
