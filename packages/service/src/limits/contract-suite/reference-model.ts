import type { ActualUse, WindowClaim } from '../contract.js'

export interface Entry {
  readonly claim: WindowClaim
  readonly atMs: number
  amount: number
}

/**
 * The simplest implementation of limits: a list of everything that was ever admitted, and sums over it. `slackMs` is how much longer than
 * its window an entry is counted.
 */
export class ReferenceModel {
  readonly #entries: Entry[] = []
  readonly #slackMs: number

  constructor(slackMs: number) {
    this.#slackMs = slackMs
  }

  record(claims: readonly WindowClaim[], atMs: number): Entry[] {
    const entries = claims.map((claim) => ({ claim, atMs, amount: claim.amount }))
    this.#entries.push(...entries)
    return entries
  }

  remove(gone: readonly Entry[]): void {
    for (const entry of gone) this.#entries.splice(this.#entries.indexOf(entry), 1)
  }

  remaining(claim: WindowClaim, nowMs: number): number {
    return Math.max(0, claim.limit - this.#used(claim.id, nowMs))
  }

  resetMs(claim: WindowClaim, nowMs: number): number {
    const waits = this.#live(claim.id, nowMs)
      .filter((entry) => entry.amount > 0)
      .map((entry) => this.#leavesAtMs(entry) - nowMs)
    return Math.ceil(Math.max(0, ...waits))
  }

  fits(claim: WindowClaim, nowMs: number): boolean {
    return this.#used(claim.id, nowMs) + claim.amount <= claim.limit
  }

  /** Amounts are freed only when an entry expires, so it is enough to try now and each of these times in order. */
  waitMs(claim: WindowClaim, nowMs: number): number {
    const moments = this.#live(claim.id, nowMs).map((entry) => this.#leavesAtMs(entry))
    const soonest = [nowMs, ...moments].sort((a, b) => a - b).find((moment) => this.fits(claim, moment))
    return soonest === undefined ? Number.POSITIVE_INFINITY : soonest - nowMs
  }

  /** Returns, for every admission, the amount in the window that ends with it, and its limit. */
  windowsEndingInAdmissions(id: string): { used: number; limit: number }[] {
    const entries = this.#entries.filter((entry) => entry.claim.id === id)
    return entries.map((last, index) => ({
      limit: last.claim.limit,
      used: sum(entries.slice(0, index + 1).filter((entry) => last.atMs - entry.atMs < entry.claim.windowMs)),
    }))
  }

  #used(id: string, nowMs: number): number {
    return sum(this.#live(id, nowMs))
  }

  #live(id: string, nowMs: number): Entry[] {
    return this.#entries.filter((entry) => entry.claim.id === id && nowMs < this.#leavesAtMs(entry))
  }

  #leavesAtMs(entry: Entry): number {
    return entry.atMs + entry.claim.windowMs + this.#slackMs
  }
}

export function settleEntries(entries: readonly Entry[], actual: ActualUse, nowMs: number): void {
  for (const entry of entries) {
    const hasLeft = nowMs - entry.atMs >= entry.claim.windowMs
    if (!hasLeft) entry.amount = actual[entry.claim.unit] ?? entry.amount
  }
}

function sum(entries: readonly Entry[]): number {
  return entries.reduce((total, entry) => total + entry.amount, 0)
}
