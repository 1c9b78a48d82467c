import { isInPeriod } from '../../shared/spend-account.js'
import type {
  ActualUse,
  AdmissionRequest,
  Decision,
  Hold,
  LimitStatus,
  ReceiptSpend,
  RefusedByWindow,
  WindowClaim,
} from '../contract.js'
import { refuseByWindow, toLimitStatus } from '../limit-status.js'
import type { AdmittedCall, AdmittedWindowClaim, TenantUsage, UsageLoader } from '../usage-loader.js'
import { type ClockReading, toEpochMs } from './clock.js'
import { CountedReceipts } from './counted-receipts.js'
import type { LiveWindows } from './live-windows.js'
import type { RollingWindow } from './rolling-window.js'
import { SpendAccounts } from './spend-accounts.js'

interface ClaimedWindow<Claim extends AdmittedWindowClaim = AdmittedWindowClaim> {
  readonly claim: Claim
  readonly window: RollingWindow
}

/** What is held for a call from its admission until its receipt. */
interface ActiveHold {
  readonly atMs: number
  /** The time of admission by the monotonic clock of the windows. */
  readonly monotonicMs: number
  readonly claimedWindows: readonly ClaimedWindow[]
  isSettled: boolean
}

export class MemoryHold implements Hold {
  constructor(
    readonly tenantId: string,
    readonly attemptId: string,
    readonly atMs: number,
  ) {}
}

// A time that was rounded down to the millisecond is counted as the end of that millisecond, so that it is never counted too briefly.
const endOfMillisecond = 0.999_999

/** The state of one tenant: one loaded generation, and everything that was decided and reported since. */
export class MemoryTenant {
  readonly generation: number
  readonly limitsVersion: number
  readonly accounts: SpendAccounts
  readonly #tenantId: string
  readonly #windows: LiveWindows
  readonly #countedReceipts = new CountedReceipts()
  // Holds need no lease: they live in this process and end with it.
  // Bounded: open calls; removed when their receipt is counted.
  readonly #holds = new Map<string, ActiveHold>()

  constructor(
    tenantId: string,
    usage: TenantUsage,
    usageLoader: UsageLoader,
    windows: LiveWindows,
    clock: ClockReading,
  ) {
    this.generation = usage.generation
    this.limitsVersion = usage.limitsVersion
    this.accounts = new SpendAccounts((accounts) => usageLoader.loadAccountSpend(tenantId, accounts))
    this.#tenantId = tenantId
    this.#windows = windows
    // In order of time, because appending to a window is fast and inserting is slow.
    for (const { claimId, windowMs, atMs, amount } of usage.uses.toSorted((a, b) => a.atMs - b.atMs)) {
      this.#windows
        .get(tenantId, { id: claimId, windowMs })
        .add(atMs - clock.epochOffsetMs + endOfMillisecond, amount)
    }
    for (const call of usage.openCalls) this.#restore(call, clock)
  }

  #restore({ attemptId, atMs, claims, scopes, nanos }: AdmittedCall, { epochOffsetMs }: ClockReading): void {
    const monotonicMs = atMs - epochOffsetMs + endOfMillisecond
    const claimedWindows = claims.map((claim) => ({
      claim,
      window: this.#windows.get(this.#tenantId, claim),
    }))
    for (const { claim, window } of claimedWindows) window.add(monotonicMs, claim.amount)
    this.accounts.addReservation(attemptId, scopes, atMs, nanos)
    this.#holds.set(attemptId, { atMs, monotonicMs, claimedWindows, isSettled: false })
  }

  /** Decides without waiting for anything. That makes it atomic: no two decisions can interleave. */
  decide({ attemptId, claims, spend }: AdmissionRequest, clock: ClockReading): Decision {
    const { nowMs } = clock
    const atMs = toEpochMs(clock)
    const claimedWindows = this.#findWindows(claims, nowMs)
    if (spend?.accountLimits.some(({ account }) => !isInPeriod(account, atMs))) {
      const limitStatuses = describeWindows(claimedWindows, nowMs)
      return { admitted: false, reason: 'period', atMs, limitStatuses }
    }
    const refused = findRefusal(claimedWindows, nowMs)
    if (refused !== null) return refused
    const granted = spend && this.accounts.reserve(attemptId, spend, { nowMs, atMs })
    if (granted !== null && typeof granted !== 'number') {
      const limitStatuses = describeWindows(claimedWindows, nowMs)
      return { admitted: false, reason: 'spend', atMs, refusal: granted, limitStatuses }
    }
    for (const { claim, window } of claimedWindows) window.add(nowMs, claim.amount)
    this.#holds.set(attemptId, { atMs, monotonicMs: nowMs, claimedWindows, isSettled: false })
    return {
      admitted: true,
      hold: new MemoryHold(this.#tenantId, attemptId, atMs),
      atMs,
      generation: this.generation,
      limitStatuses: describeWindows(claimedWindows, nowMs),
      grantedNanos: granted,
    }
  }

  readLimitStatuses(claims: readonly WindowClaim[], nowMs: number): LimitStatus[] {
    return describeWindows(this.#findWindows(claims, nowMs), nowMs)
  }

  settle({ attemptId, atMs }: MemoryHold, actual: ActualUse, nowMs: number): void {
    const hold = this.#holds.get(attemptId)
    if (hold?.atMs !== atMs) return
    applyActualUse(hold, actual, nowMs)
  }

  release({ attemptId, atMs }: MemoryHold, nowMs: number): void {
    const hold = this.#holds.get(attemptId)
    if (hold?.atMs !== atMs) return
    this.accounts.release(attemptId)
    applyActualUse(hold, { requests: 0, tokens: 0 }, nowMs)
    this.#holds.delete(attemptId)
  }

  countReceipt(receipt: ReceiptSpend, nowMs: number): void {
    if (!this.#countedReceipts.add(receipt.seq, nowMs)) return
    this.accounts.countReceipt(receipt)
    const hold = this.#holds.get(receipt.attemptId)
    if (hold) applyActualUse(hold, { tokens: receipt.tokens }, nowMs)
    this.#holds.delete(receipt.attemptId)
  }

  #findWindows(claims: readonly WindowClaim[], nowMs: number): ClaimedWindow<WindowClaim>[] {
    return claims.map((claim) => {
      const window = this.#windows.get(this.#tenantId, claim)
      window.prune(nowMs)
      return { claim, window }
    })
  }
}

/** Replaces claimed amounts by actual ones, once for each hold. */
function applyActualUse(hold: ActiveHold, actual: ActualUse, nowMs: number): void {
  if (hold.isSettled) return
  hold.isSettled = true
  for (const { claim, window } of hold.claimedWindows) {
    // Correcting an expired amount would first have to recreate its bucket.
    if (nowMs - hold.monotonicMs >= window.windowMs) continue
    window.add(hold.monotonicMs, (actual[claim.unit] ?? claim.amount) - claim.amount)
  }
}

function findRefusal(
  claimedWindows: readonly ClaimedWindow<WindowClaim>[],
  nowMs: number,
): RefusedByWindow | null {
  let refusedBy: WindowClaim | null = null
  let longestMs = 0
  for (const { claim, window } of claimedWindows) {
    const waitMs = window.waitMs(claim.amount, claim.limit, nowMs)
    if (waitMs <= longestMs) continue
    refusedBy = claim
    longestMs = waitMs
  }
  if (refusedBy === null) return null
  return refuseByWindow(refusedBy, longestMs, describeWindows(claimedWindows, nowMs))
}

function describeWindows(
  claimedWindows: readonly ClaimedWindow<WindowClaim>[],
  nowMs: number,
): LimitStatus[] {
  return claimedWindows.map(({ claim, window }) => toLimitStatus(claim, window.total, window.resetMs(nowMs)))
}
