import type {
  Account,
  ActualUse,
  AdmissionRequest,
  AdmissionStore,
  Claim,
  Decision,
  Pass,
  RecordedSpend,
  Refused,
  Standing,
} from './contract.js'
import { LiveWindows } from './live-windows.js'
import type { RollingWindow } from './rolling-window.js'
import { type LoadSpend, SpendAccounts } from './spend-accounts.js'

interface Clock {
  /** Milliseconds, fractions welcome, from any start; never goes back. */
  now(): number
}

interface Stake {
  readonly claim: Claim
  readonly window: RollingWindow
}

// A pass needs no lease: what it reserved lives in the same process and dies with it.
class MemoryPass implements Pass {
  settled = false

  constructor(
    readonly tenantId: string,
    readonly callId: string,
    readonly stakes: readonly Stake[],
    readonly admittedAtMs: number,
  ) {}
}

/**
 * Admission for one process. A decision never waits for anything, so no two of them can interleave: that is what makes
 * it atomic, and why `admit` awaits only before it decides, to learn what was spent on an account it does not know yet.
 *
 * Measured per second of CPU time, on a busy two-core machine: 0.9 to 1.5 million calls on one key (median of five runs
 * 1.25), each admitted under two claims and settled; 0.5 million when spread over 10,000 keys; 1.4 to 2.7 million
 * refusals. (Windows alone; a call that also claims money was not measured.)
 */
class MemoryAdmission implements AdmissionStore {
  readonly #clock: Clock
  readonly #windows = new LiveWindows()

  readonly #accounts: SpendAccounts

  constructor(clock: Clock, loadSpend: LoadSpend) {
    this.#clock = clock
    this.#accounts = new SpendAccounts(loadSpend)
  }

  async admit({ tenantId, callId, claims, spend }: AdmissionRequest): Promise<Decision> {
    if (claims.length === 0 && spend === null) {
      return {
        admitted: true,
        pass: new MemoryPass(tenantId, callId, [], 0),
        standings: [],
        grantedMicros: null,
      }
    }
    const unknown = spend && this.#accounts.prepare(tenantId, spend, this.#clock.now())
    if (unknown) await unknown

    const nowMs = this.#clock.now()
    const stakes = this.#gatherStakes(tenantId, claims, nowMs)
    const refused = findRefusal(stakes, nowMs)
    if (refused !== null) return refused
    const granted = spend && this.#accounts.reserve(tenantId, callId, spend, nowMs)
    if (granted !== null && typeof granted !== 'number') {
      return {
        admitted: false,
        reason: 'spend',
        refusal: granted,
        standings: describeStandings(stakes, nowMs),
      }
    }
    for (const { claim, window } of stakes) window.add(nowMs, claim.amount)
    return {
      admitted: true,
      pass: new MemoryPass(tenantId, callId, stakes, nowMs),
      standings: describeStandings(stakes, nowMs),
      grantedMicros: granted,
    }
  }

  async settle(pass: Pass, actual: ActualUse): Promise<void> {
    if (!(pass instanceof MemoryPass)) throw new TypeError('The pass was given by another admission store')
    if (pass.settled) return
    requireWhole('requests', actual.requests ?? 0)
    requireWhole('tokens', actual.tokens ?? 0)
    requireWhole('micros', actual.micros ?? 0)
    pass.settled = true
    if (actual.micros !== undefined) this.#accounts.settle(pass.callId, actual.micros)
    if (pass.stakes.length === 0) return
    const nowMs = this.#clock.now()
    for (const { claim, window } of pass.stakes) {
      // The next prune would undo the correction anyway, but a bucket would have to be put back for it first.
      if (nowMs - pass.admittedAtMs >= window.windowMs) continue
      window.add(pass.admittedAtMs, (actual[claim.unit] ?? claim.amount) - claim.amount)
    }
  }

  async record(spends: readonly RecordedSpend[]): Promise<void> {
    for (const spend of spends) this.#accounts.record(spend)
  }

  async reservedMicros(tenantId: string, account: Account): Promise<number> {
    return this.#accounts.reservedMicros(tenantId, account)
  }

  async close(): Promise<void> {
    this.#windows.clear()
  }

  /** How many windows are held in memory: those used lately, and no others. */
  countWindows(): number {
    return this.#windows.count()
  }

  #gatherStakes(tenantId: string, claims: readonly Claim[], nowMs: number): Stake[] {
    this.#windows.turn(nowMs)
    const stakes: Stake[] = []
    for (const claim of claims) {
      requireWhole(claim.id, claim.amount)
      requireWhole(claim.id, claim.limit)
      const window = this.#windows.get(tenantId, claim)
      // Each of the two would be measured without the other.
      if (stakes.some((stake) => stake.window === window))
        throw new Error(`${claim.id} is claimed twice in one call`)
      window.prune(nowMs)
      stakes.push({ claim, window })
    }
    return stakes
  }
}

export function createMemoryAdmission(clock: Clock, loadSpend: LoadSpend): MemoryAdmission {
  return new MemoryAdmission(clock, loadSpend)
}

function findRefusal(stakes: readonly Stake[], nowMs: number): Refused | null {
  let refusedBy: Claim | null = null
  let longestMs = 0
  for (const { claim, window } of stakes) {
    const waitMs = window.waitMs(claim.amount, claim.limit, nowMs)
    if (waitMs <= longestMs) continue
    refusedBy = claim
    longestMs = waitMs
  }
  if (refusedBy === null) return null
  const never = longestMs === Number.POSITIVE_INFINITY
  return {
    admitted: false,
    reason: 'window',
    refusedBy,
    never,
    retryAfterSeconds: Math.ceil((never ? refusedBy.windowMs : longestMs) / 1000),
    standings: describeStandings(stakes, nowMs),
  }
}

function describeStandings(stakes: readonly Stake[], nowMs: number): Standing[] {
  return stakes.map(({ claim, window }) => ({
    unit: claim.unit,
    limit: claim.limit,
    remaining: Math.max(0, claim.limit - window.total),
    resetMs: Math.ceil(window.resetMs(nowMs)),
  }))
}

// A NaN that slipped into a running total would stay in it for good.
function requireWhole(what: string, count: number): void {
  if (!Number.isSafeInteger(count) || count < 0) {
    throw new RangeError(`${what}: expected a whole number of at least 0, not ${count}`)
  }
}
