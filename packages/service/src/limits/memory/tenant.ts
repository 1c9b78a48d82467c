import type { SpendAccount } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  Claim,
  Decision,
  LimitStatus,
  Pass,
  RecordedSpend,
  Refused,
} from '../contract.js'
import { refuse, stand } from '../decision.js'
import type { AdmissionTruth, AdmittedCall, AdmittedClaim, TenantTruth } from '../truth.js'
import type { LiveWindows } from './live-windows.js'
import { ReportedReceipts } from './reported-receipts.js'
import type { RollingWindow } from './rolling-window.js'
import { SpendAccounts } from './spend-accounts.js'

interface Stake<C extends AdmittedClaim = AdmittedClaim> {
  readonly claim: C
  readonly window: RollingWindow
}

interface OpenPass {
  readonly atMs: number
  /** The same by the clock of the windows. */
  readonly momentMs: number
  readonly stakes: readonly Stake[]
  settled: boolean
}

export class MemoryPass implements Pass {
  constructor(
    readonly tenantId: string,
    readonly callId: string,
    readonly atMs: number,
  ) {}
}

/** A moment, by a clock that never goes back, and what it is in milliseconds since 1970. */
export interface Moment {
  readonly nowMs: number
  readonly offsetMs: number
}

export const timeOfDayMs = ({ nowMs, offsetMs }: Moment): number => Math.floor(nowMs + offsetMs)

// A moment that was rounded down to the millisecond is counted as its end: never too short.
const endOfMillisecond = 0.999_999

/** All that counts for one tenant, as of one generation of the truth and of all that was decided and reported since. */
export class MemoryTenant {
  readonly generation: number
  readonly limitsVersion: number
  readonly accounts: SpendAccounts
  readonly #tenantId: string
  readonly #windows: LiveWindows
  readonly #reported = new ReportedReceipts()
  // A pass needs no lease: what it reserved lives in the same process and dies with it.
  // Bounded: calls under way; removed with their receipt.
  readonly #passes = new Map<string, OpenPass>()

  constructor(
    tenantId: string,
    loaded: TenantTruth,
    truth: AdmissionTruth,
    windows: LiveWindows,
    moment: Moment,
  ) {
    this.generation = loaded.generation
    this.limitsVersion = loaded.limitsVersion
    this.accounts = new SpendAccounts((accounts) => truth.loadSpend(tenantId, accounts))
    this.#tenantId = tenantId
    this.#windows = windows
    // In their order: a window appends quickly and inserts slowly.
    for (const { claimId, windowMs, atMs, amount } of loaded.uses.toSorted((a, b) => a.atMs - b.atMs)) {
      this.#windows
        .get(tenantId, { id: claimId, windowMs })
        .add(atMs - moment.offsetMs + endOfMillisecond, amount)
    }
    for (const call of loaded.open) this.#restore(call, moment)
  }

  #restore({ callId, atMs, claims, scopes, nanos }: AdmittedCall, { offsetMs }: Moment): void {
    const momentMs = atMs - offsetMs + endOfMillisecond
    const stakes = claims.map((claim) => ({ claim, window: this.#windows.get(this.#tenantId, claim) }))
    for (const { claim, window } of stakes) window.add(momentMs, claim.amount)
    this.accounts.hold(callId, scopes, atMs, nanos)
    this.#passes.set(callId, { atMs, momentMs, stakes, settled: false })
  }

  /** Never waits, so no two decisions can interleave: that is what makes it atomic. */
  decide({ callId, claims, spend }: AdmissionRequest, moment: Moment): Decision {
    const { nowMs } = moment
    const atMs = timeOfDayMs(moment)
    const stakes = this.#gatherStakes(claims, nowMs)
    if (spend?.claims.some(({ account }) => !holds(account, atMs))) {
      return { admitted: false, reason: 'period', atMs, limitStatuses: describeLimitStatuses(stakes, nowMs) }
    }
    const refused = findRefusal(stakes, nowMs)
    if (refused !== null) return refused
    const granted = spend && this.accounts.reserve(callId, spend, { nowMs, atMs })
    if (granted !== null && typeof granted !== 'number') {
      const limitStatuses = describeLimitStatuses(stakes, nowMs)
      return { admitted: false, reason: 'spend', atMs, refusal: granted, limitStatuses }
    }
    for (const { claim, window } of stakes) window.add(nowMs, claim.amount)
    this.#passes.set(callId, { atMs, momentMs: nowMs, stakes, settled: false })
    return {
      admitted: true,
      pass: new MemoryPass(this.#tenantId, callId, atMs),
      atMs,
      generation: this.generation,
      limitStatuses: describeLimitStatuses(stakes, nowMs),
      grantedNanos: granted,
    }
  }

  limitStatuses(claims: readonly Claim[], nowMs: number): LimitStatus[] {
    return describeLimitStatuses(this.#gatherStakes(claims, nowMs), nowMs)
  }

  settle({ callId, atMs }: MemoryPass, actual: ActualUse, nowMs: number): void {
    const pass = this.#passes.get(callId)
    if (pass?.atMs !== atMs) return
    correct(pass, actual, nowMs)
  }

  release({ callId, atMs }: MemoryPass, nowMs: number): void {
    const pass = this.#passes.get(callId)
    if (pass?.atMs !== atMs) return
    this.accounts.release(callId)
    correct(pass, { requests: 0, tokens: 0 }, nowMs)
    this.#passes.delete(callId)
  }

  record(spend: RecordedSpend, nowMs: number): void {
    if (!this.#reported.add(spend.seq, nowMs)) return
    this.accounts.record(spend)
    const pass = this.#passes.get(spend.callId)
    if (pass) correct(pass, { tokens: spend.tokens }, nowMs)
    this.#passes.delete(spend.callId)
  }

  #gatherStakes(claims: readonly Claim[], nowMs: number): Stake<Claim>[] {
    return claims.map((claim) => {
      const window = this.#windows.get(this.#tenantId, claim)
      window.prune(nowMs)
      return { claim, window }
    })
  }
}

function holds({ startMs, endMs }: SpendAccount, atMs: number): boolean {
  return atMs >= startMs && (endMs === null || atMs < endMs)
}

function correct(pass: OpenPass, actual: ActualUse, nowMs: number): void {
  if (pass.settled) return
  pass.settled = true
  for (const { claim, window } of pass.stakes) {
    // The next prune would undo the correction anyway, but a bucket would have to be put back for it first.
    if (nowMs - pass.momentMs >= window.windowMs) continue
    window.add(pass.momentMs, (actual[claim.unit] ?? claim.amount) - claim.amount)
  }
}

function findRefusal(stakes: readonly Stake<Claim>[], nowMs: number): Refused | null {
  let refusedBy: Claim | null = null
  let longestMs = 0
  for (const { claim, window } of stakes) {
    const waitMs = window.waitMs(claim.amount, claim.limit, nowMs)
    if (waitMs <= longestMs) continue
    refusedBy = claim
    longestMs = waitMs
  }
  if (refusedBy === null) return null
  return refuse(refusedBy, longestMs, describeLimitStatuses(stakes, nowMs))
}

function describeLimitStatuses(stakes: readonly Stake<Claim>[], nowMs: number): LimitStatus[] {
  return stakes.map(({ claim, window }) => stand(claim, window.total, window.resetMs(nowMs)))
}
