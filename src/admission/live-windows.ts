import type { Claim } from './contract.js'
import { RollingWindow } from './rolling-window.js'

type WindowsByTenant = Map<string, Map<string, RollingWindow>>

/**
 * The windows in use, in two generations. A window that is asked for moves to the current one; every time the longest
 * window has passed, the current becomes the previous and the previous is let go. What is let go was not used for a
 * whole window, so all it counted has expired, and nobody had to look: no timer, no scan over quiet keys.
 */
export class LiveWindows {
  #current: WindowsByTenant = new Map()
  #previous: WindowsByTenant = new Map()
  #turnedAtMs = Number.NEGATIVE_INFINITY
  #longestWindowMs = 0

  /** Lets quiet windows go. To be called before the windows of a decision are asked for. */
  turn(nowMs: number): void {
    if (nowMs < this.#turnedAtMs + this.#longestWindowMs) return
    this.#previous = this.#current
    this.#current = new Map()
    this.#turnedAtMs = nowMs
  }

  get(tenantId: string, claim: Claim): RollingWindow {
    let windows = this.#current.get(tenantId)
    if (windows === undefined) {
      windows = new Map()
      this.#current.set(tenantId, windows)
    }
    let window = windows.get(claim.id)
    if (window === undefined) {
      window = this.#previous.get(tenantId)?.get(claim.id) ?? new RollingWindow(claim.windowMs)
      windows.set(claim.id, window)
      this.#longestWindowMs = Math.max(this.#longestWindowMs, window.windowMs)
    }
    if (window.windowMs !== claim.windowMs) {
      throw new Error(`${claim.id} has a window of ${window.windowMs} ms, not of ${claim.windowMs} ms`)
    }
    return window
  }

  count(): number {
    const all = new Set<RollingWindow>()
    for (const generation of [this.#current, this.#previous]) {
      for (const windows of generation.values()) {
        for (const window of windows.values()) all.add(window)
      }
    }
    return all.size
  }

  clear(): void {
    this.#current = new Map()
    this.#previous = new Map()
  }
}
