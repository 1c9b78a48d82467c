import type { Config } from '../../config/index.js'

/**
 * A part of the service that applies changed settings while it runs. `prepare` does everything that can fail, and returns the function
 * that makes the change, which must not fail. It returns null when nothing changes.
 */
export interface ReloadablePart {
  prepare(next: Config, current: Config): (() => void) | null | Promise<(() => void) | null>
}

/** The configuration of the running service. */
export interface LiveConfig {
  current(): Config
  /** Adds a part. Its settings must be in the list of live settings. */
  add(part: ReloadablePart): void
  /** Changes all parts, or none when one of them cannot be prepared. */
  apply(next: Config): Promise<void>
}

export function createLiveConfig(initial: Config): LiveConfig {
  let current = initial
  // Bounded: parts of the program.
  const parts: ReloadablePart[] = []
  return {
    current: () => current,
    add: (part) => void parts.push(part),
    async apply(next) {
      const changes = await Promise.all(parts.map(async (part) => await part.prepare(next, current)))
      // From here on nothing waits, so no request sees a mixture of old and new settings.
      current = next
      for (const change of changes) change?.()
    },
  }
}
