import { RollingWindow } from './rolling-window.js'

/** What is limited, and over which time. */
interface Limited {
  readonly id: string
  readonly windowMs: number
}

type WindowsByTenant = Map<string, Map<string, RollingWindow>>

/**
 * The windows in use, in two generations. A window that is asked for moves to the current one; every time the longest
 * window has passed, the current becomes the previous and the previous is let go. What is let go was not used for a
 * whole window, so all it counted has expired, and nobody had to look: no timer, no scan over quiet keys.
 */
export class LiveWindows {
  // Bounded: windows of keys that called within the longest window; quiet ones go without a scan.
  #current: WindowsByTenant = new Map()
  // Bounded: the same, of the window before.
  #previous: WindowsByTenant = new Map()
  #turnedAtMs = Number.NEGATIVE_INFINITY
  #maxWindowMs = 0

  /** Lets quiet windows go. To be called before the windows of a decision are asked for. */
  turn(nowMs: number): void {
    if (nowMs < this.#turnedAtMs + this.#maxWindowMs) return
    this.#previous = this.#current
    this.#current = new Map()
    this.#turnedAtMs = nowMs
  }

  get(tenantId: string, limited: Limited): RollingWindow {
    let windows = this.#current.get(tenantId)
    if (windows === undefined) {
      windows = new Map()
      this.#current.set(tenantId, windows)
    }
    let window = windows.get(limited.id)
    if (window === undefined) {
      window = this.#previous.get(tenantId)?.get(limited.id) ?? new RollingWindow(limited.windowMs)
      windows.set(limited.id, window)
      this.#maxWindowMs = Math.max(this.#maxWindowMs, window.windowMs)
    }
    if (window.windowMs !== limited.windowMs) {
      throw new Error(`${limited.id} has a window of ${window.windowMs} ms, not of ${limited.windowMs} ms`)
    }
    return window
  }

  drop(tenantId: string): void {
    this.#current.delete(tenantId)
    this.#previous.delete(tenantId)
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
