import { within } from '../../shared/deadline.js'

/** The last look at something outside this process. `overdue` means that it has not answered in time, and may never do so. */
export type Observation<T> = { seen: T } | { failed: unknown } | { overdue: true }

export interface ObserveOptions<T> {
  look(): Promise<T>
  /** A result is used for this long, however often it is read. */
  maxAgeMs: number
  /** How long a reader waits. The look itself goes on, and no other begins before it ends. */
  timeoutMs?: number
}

// Load balancers give up after a few seconds. A database under load may take one for an empty query.
export const observationTimeoutMs = 2_500

/**
 * Returns a function that looks at something, so that many readers cause one look, and something that hangs delays none of them for
 * longer than the timeout.
 */
export function observe<T>({
  look,
  maxAgeMs,
  timeoutMs = observationTimeoutMs,
}: ObserveOptions<T>): () => Promise<Observation<T>> {
  let last: { observation: Observation<T>; atMs: number } | null = null
  let pending: { ended: Promise<void>; startedMs: number } | null = null

  async function lookOnce(): Promise<void> {
    const observation = await look().then(
      (seen) => ({ seen }),
      (failed: unknown) => ({ failed }),
    )
    last = { observation, atMs: performance.now() }
    pending = null
  }

  return async () => {
    const isFresh = last !== null && performance.now() - last.atMs < maxAgeMs
    if (pending === null && !isFresh) pending = { ended: lookOnce(), startedMs: performance.now() }
    if (pending !== null) {
      const leftMs = timeoutMs - (performance.now() - pending.startedMs)
      if (leftMs <= 0) return { overdue: true }
      const isOver = await within(leftMs, pending.ended, () => new Error()).then(
        () => false,
        () => true,
      )
      if (isOver) return { overdue: true }
    }
    return last?.observation ?? { overdue: true }
  }
}
