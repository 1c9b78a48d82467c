import type { SpendAccount } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  AdmissionStore,
  Admitted,
  Decision,
  Hold,
  LimitStatus,
  ReceiptSpend,
  WindowClaim,
} from '../contract.js'
import { LimitsFault } from '../fault.js'
import type { UsageLoader } from '../usage-loader.js'
import { requiredLimitsVersion, validateActualUse, validateRequest } from '../validate-request.js'
import { connectToRedis } from './connection.js'
import { parseDecision, parseLimitStatuses, writeRequest } from './decision.js'
import { parseCall, RedisHold, writeCorrections } from './hold.js'
import { TenantKeys } from './keys.js'
import { LocalHolds } from './local-holds.js'
import type { RedisAdmissionParts } from './parts.js'
import type { Reply } from './reply.js'
import { formatPeriod } from './script-call.js'
import { readScripts } from './scripts.js'
import { RedisTenants } from './tenants.js'

const nothingUsed: ActualUse = { requests: 0, tokens: 0 }

/**
 * Admission for any number of processes that share one Redis. A decision is one script and one round trip. Redis may lose its state at
 * any time: it is then loaded from the database again, and so is the state of a tenant for which a write to Redis failed.
 */
class RedisAdmission implements AdmissionStore {
  readonly #parts: RedisAdmissionParts
  readonly #tenants: RedisTenants
  readonly #localHolds = new LocalHolds()
  // Bounded: reads of the database in progress.
  readonly #accountLoads = new Map<string, Promise<void>>()

  constructor(parts: RedisAdmissionParts) {
    this.#parts = parts
    this.#tenants = new RedisTenants(parts)
  }

  async admit(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, claims, spend } = request
    validateRequest(request)
    if (claims.length === 0 && spend === null) {
      const admitted = admitWithoutRedis(request)
      this.#localHolds.add(admitted.hold)
      return admitted
    }
    const isLimited = claims.length > 0 || (spend !== null && spend.accountLimits.length > 0)
    const decision = isLimited
      ? await this.#tenants.requireRedis(tenantId, () => this.#decide(request))
      : await this.#tenants.preferRedis(
          tenantId,
          () => this.#decide(request),
          () => admitWithoutRedis(request),
        )
    if (decision.admitted && decision.hold instanceof RedisHold) this.#localHolds.add(decision.hold)
    return decision
  }

  async settle(hold: Hold, actual: ActualUse): Promise<void> {
    requireOwnHold(hold)
    validateActualUse(actual)
    await this.#tenants.deliverToRedis(hold.tenantId, () => this.#settle(hold, actual, false))
  }

  async release(hold: Hold): Promise<void> {
    requireOwnHold(hold)
    this.#localHolds.delete(hold.attemptId)
    await this.#tenants.deliverToRedis(hold.tenantId, () => this.#settle(hold, nothingUsed, true))
  }

  async countReceipts(receipts: readonly ReceiptSpend[]): Promise<void> {
    const byTenant = new Map<string, ReceiptSpend[]>()
    for (const receipt of receipts) {
      byTenant.set(receipt.tenantId, [...(byTenant.get(receipt.tenantId) ?? []), receipt])
    }
    const deliveries = [...byTenant].map(([tenantId, ofTenant]) =>
      this.#tenants.deliverToRedis(tenantId, () => this.#countReceipts(tenantId, ofTenant)),
    )
    await Promise.all(deliveries)
  }

  async readLimitStatuses(tenantId: string, claims: readonly WindowClaim[]): Promise<LimitStatus[]> {
    if (claims.length === 0) return []
    return await this.#tenants.requireRedis(tenantId, async () => {
      const { reply } = await this.#tenants.runOnCurrentGeneration(
        tenantId,
        { limitsVersion: requiredLimitsVersion(claims) },
        this.#parts.scripts.readWindows,
        (script, keys) => {
          script.addArguments(this.#parts.now())
          script.addList(claims, ({ id, windowMs }) => script.addKeys(keys.window(id)).addArguments(windowMs))
        },
      )
      return parseLimitStatuses(reply, 1, claims, reply.numberAt(0))
    })
  }

  async readReservedNanos(tenantId: string, account: SpendAccount): Promise<number> {
    return await this.#tenants.requireRedis(tenantId, async () => {
      const { reply } = await this.#tenants.runOnCurrentGeneration(
        tenantId,
        {},
        this.#parts.scripts.readReserved,
        (script, keys) => {
          script
            .addKeys(keys.reserved(account.scopeType, account.scopeId))
            .addArguments(formatPeriod(account))
        },
      )
      return reply.numberAt(0)
    })
  }

  async forgetTenant(tenantId: string): Promise<void> {
    await this.#tenants.forgetTenant(tenantId)
  }

  check(): Promise<void> {
    return this.#parts.connection.check()
  }

  async close(): Promise<void> {
    await this.#tenants.close()
  }

  async #decide(request: AdmissionRequest): Promise<Decision> {
    const { tenantId, attemptId, claims, spend, afterGeneration } = request
    const required = { after: afterGeneration ?? 0, limitsVersion: requiredLimitsVersion(claims) }
    for (;;) {
      const { reply, generation } = await this.#tenants.runOnCurrentGeneration(
        tenantId,
        required,
        this.#parts.scripts.admit,
        (script, keys) =>
          writeRequest(script.addKeys(keys.hold(attemptId)).addArguments(this.#parts.now()), request, keys),
      )
      if (reply.kind !== 'accounts not loaded') return parseDecision(reply, request, generation)
      const accounts = reply.values.flatMap((index) => spend?.accountLimits[Number(index)]?.account ?? [])
      await this.#loadAccountsOnce(tenantId, generation, accounts)
    }
  }

  /** Loads accounts. Concurrent calls that need the same accounts share one read of the database. */
  async #loadAccountsOnce(
    tenantId: string,
    generation: number,
    accounts: readonly SpendAccount[],
  ): Promise<void> {
    const id = JSON.stringify([tenantId, generation, accounts])
    let loading = this.#accountLoads.get(id)
    if (loading === undefined) {
      loading = this.#loadAccounts(tenantId, generation, accounts).finally(() =>
        this.#accountLoads.delete(id),
      )
      this.#accountLoads.set(id, loading)
    }
    await loading
  }

  async #loadAccounts(
    tenantId: string,
    generation: number,
    accounts: readonly SpendAccount[],
  ): Promise<void> {
    const loaded = await this.#parts.usageLoader.loadAccountSpend(tenantId, accounts)
    const spends = loaded.flatMap((spend, i) => (accounts[i] ? [{ account: accounts[i], ...spend }] : []))
    await this.#tenants.runOnGeneration(
      tenantId,
      generation,
      this.#parts.scripts.storeAccountSpend,
      (script, keys) => {
        script.addArguments(this.#parts.now()).addList(spends, ({ account, asOfSeq, spentNanos }) => {
          script.addKeys(keys.scope(account.scopeType, account.scopeId))
          script.addArguments(formatPeriod(account), asOfSeq, spentNanos)
        })
      },
    )
  }

  /** A tenant that is not loaded on the server needs no correction, because the next load includes it. */
  async #settle(hold: RedisHold, actual: ActualUse, isReleased: boolean): Promise<void> {
    const { tenantId, attemptId, atMs } = hold
    if (isReleased ? hold.isEmpty : hold.claims.length === 0) return
    let reply: Reply
    do {
      const generation = this.#tenants.generationOf(tenantId)
      reply = await this.#tenants.runOnGeneration(
        tenantId,
        generation,
        this.#parts.scripts.settle,
        (script, keys) => {
          script.addKeys(keys.hold(attemptId)).addArguments(this.#parts.now(), atMs, isReleased ? 1 : 0)
          writeCorrections(script, hold, actual, keys)
        },
      )
    } while (reply.kind === 'generation')
  }

  async #countReceipts(tenantId: string, receipts: readonly ReceiptSpend[]): Promise<void> {
    const { lock, pendingReceipts } = new TenantKeys(tenantId)
    let reply: Reply
    do {
      const generation = this.#tenants.generationOf(tenantId)
      const foreignCalls = await this.#readForeignCalls(tenantId, generation, receipts)
      reply = await this.#tenants.runOnGeneration(
        tenantId,
        generation,
        this.#parts.scripts.countReceipts,
        (script, keys) => {
          script
            .addKeys(lock, pendingReceipts, keys.countedReceipts)
            .addArguments(this.#parts.now())
            .addList(receipts, ({ attemptId, seq, nanos, tokens, atMs, scopes }) => {
              const call = this.#localHolds.get(attemptId) ?? parseCall(foreignCalls.get(attemptId) ?? '')
              script.addKeys(keys.hold(attemptId)).addArguments(attemptId, seq, nanos, tokens, atMs)
              script.addList(scopes, ([type, id]) => script.addKeys(keys.scope(type, id)))
              writeCorrections(script, call, { tokens }, keys)
            })
        },
      )
    } while (reply.kind === 'generation')
    for (const { attemptId } of receipts) this.#localHolds.delete(attemptId)
  }

  /**
   * Reads the claims and scopes of calls that another process admitted. They never change within a generation, so they can be read
   * before the script that uses them runs. A newer generation may have a hold for a call that had none, so they are read again for it.
   */
  async #readForeignCalls(
    tenantId: string,
    generation: number | null,
    receipts: readonly ReceiptSpend[],
  ): Promise<Map<string, string>> {
    const foreign = receipts.filter(({ attemptId }) => this.#localHolds.get(attemptId) === undefined)
    if (foreign.length === 0) return new Map()
    const reply = await this.#tenants.runOnGeneration(
      tenantId,
      generation,
      this.#parts.scripts.readHolds,
      (script, keys) => script.addList(foreign, ({ attemptId }) => script.addKeys(keys.hold(attemptId))),
    )
    if (reply.kind !== 'holds') return new Map()
    return new Map(foreign.map(({ attemptId }, i) => [attemptId, reply.values[i] ?? '']))
  }
}

/** Admits a call that no limit applies to, so that it need not wait for Redis. Redis later loads it from the database. */
function admitWithoutRedis({ tenantId, attemptId, spend }: AdmissionRequest): Admitted & { hold: RedisHold } {
  const atMs = Date.now()
  const hold = new RedisHold(tenantId, attemptId, atMs, [], [])
  const grantedNanos = spend?.maxNanos ?? null
  return { admitted: true, hold, atMs, generation: null, limitStatuses: [], grantedNanos }
}

function requireOwnHold(hold: Hold): asserts hold is RedisHold {
  if (!(hold instanceof RedisHold)) throw new TypeError('The hold belongs to another admission store')
}

export interface RedisAdmissionOptions {
  /** A redis:// or rediss:// URL with user, password and database. */
  readonly url: string
  readonly usageLoader: UsageLoader
  readonly log: { info(message: string): void; warn(message: string): void }
  /** After how long without an answer a call that needs Redis is refused. */
  readonly commandTimeoutMs?: number
  /** Replaces the clock of the Redis server in tests. */
  readonly clock?: { now(): number }
}

export async function createRedisAdmission(options: RedisAdmissionOptions): Promise<AdmissionStore> {
  const { url, usageLoader, log, commandTimeoutMs = 1_000, clock } = options
  const connection = await connectToRedis({ url, commandTimeoutMs, log })
  const fault = connection.clusterFault()
  if (fault !== null) {
    await connection.close()
    throw new LimitsFault('redis_refuses_writes', fault)
  }
  return new RedisAdmission({
    connection,
    scripts: readScripts(),
    usageLoader,
    now: clock ? () => Math.floor(clock.now() * 1000) : () => '',
  })
}
