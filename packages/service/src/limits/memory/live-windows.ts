import { RollingWindow } from './rolling-window.js'

interface WindowDefinition {
  readonly id: string
  readonly windowMs: number
}

type WindowsByTenant = Map<string, Map<string, RollingWindow>>

/**
 * The windows that were used lately, in two maps. A window that is used moves to the current map. Whenever the longest window has passed,
 * the current map becomes the previous one, and the previous one is dropped. A dropped window was not used for its whole duration, so
 * everything in it has expired. This needs neither a timer nor a scan of unused windows.
 */
export class LiveWindows {
  // Bounded: windows of keys that called within the longest window.
  #current: WindowsByTenant = new Map()
  // Bounded: windows of keys that called within the longest window before that.
  #previous: WindowsByTenant = new Map()
  #rotatedAtMs = Number.NEGATIVE_INFINITY
  #maxWindowMs = 0

  /** Drops unused windows. Must be called before the windows of a decision are read. */
  rotate(nowMs: number): void {
    if (nowMs < this.#rotatedAtMs + this.#maxWindowMs) return
    this.#previous = this.#current
    this.#current = new Map()
    this.#rotatedAtMs = nowMs
  }

  get(tenantId: string, { id, windowMs }: WindowDefinition): RollingWindow {
    let windows = this.#current.get(tenantId)
    if (windows === undefined) {
      windows = new Map()
      this.#current.set(tenantId, windows)
    }
    let window = windows.get(id)
    if (window === undefined) {
      window = this.#previous.get(tenantId)?.get(id) ?? new RollingWindow(windowMs)
      windows.set(id, window)
      this.#maxWindowMs = Math.max(this.#maxWindowMs, window.windowMs)
    }
    if (window.windowMs !== windowMs) {
      throw new Error(`${id} has a window of ${window.windowMs} ms, not of ${windowMs} ms`)
    }
    return window
  }

  deleteTenant(tenantId: string): void {
    this.#current.delete(tenantId)
    this.#previous.delete(tenantId)
  }

  count(): number {
    const all = new Set<RollingWindow>()
    for (const byTenant of [this.#current, this.#previous]) {
      for (const windows of byTenant.values()) {
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
