import { type Changes, createBatcher, type Db } from '../../../db/index.js'
import {
  type Claim,
  type ClaimedCall,
  type ClaimId,
  type EndedClaim,
  endClaim,
  findClaim,
  insertClaim,
} from './store.js'
import { defaultStoredCallLimits, type StoredCallLimits, StoredCalls } from './stored-calls.js'

/** Tracks on all replicas which call answers the requests with an Idempotency-Key. */
export interface Claims {
  /**
   * Resolves with true when this request is the first with the key and may call. Rejects when the virtual key has too many stored calls.
   */
  take(claim: Omit<Claim, 'processId'>): Promise<boolean>
  find(id: ClaimId): Promise<ClaimedCall | undefined>
  /** Ends a claim in the background. Retried until it succeeds. */
  end(ended: EndedClaim): void
  /** Resolves when a claim of the tenant may have ended, or after the poll interval. `stop` ends the wait. */
  nextChange(tenantId: string): { happened: Promise<void>; stop(): void }
  close(): Promise<void>
}

export interface ClaimsOptions {
  db: Db
  changes: Changes
  processId: string
  onError(error: unknown): void
  /** How often waiting requests check again, because a process that died sends no notice. */
  pollMs?: number
  limits?: StoredCallLimits
}

const defaultPollMs = 2_000
const retryAfterMs = 1_000

export function createClaims({
  db,
  changes,
  processId,
  onError,
  pollMs = defaultPollMs,
  limits = defaultStoredCallLimits,
}: ClaimsOptions): Claims {
  const stored = new StoredCalls(db, limits)
  // Bounded: waiting callers, each with a connection.
  const waiting = new Map<string, Set<() => void>>()
  const wake = (tenantId: string) => {
    for (const resolve of waiting.get(tenantId) ?? []) resolve()
  }
  changes.subscribe({
    onChange: ({ table, tenantId }) => {
      if (table === 'idempotent_calls') wake(tenantId)
    },
    onGap: () => {
      for (const tenantId of [...waiting.keys()]) wake(tenantId)
    },
  })
  const batcher = createBatcher<EndedClaim>({
    async write(group) {
      for (const ended of group) await endClaim(db, await stored.admit(ended))
    },
    maxGroupSize: 1,
    retry: { afterMs: retryAfterMs, onError },
  })

  return {
    async take(claim) {
      await stored.require(claim)
      const isTaken = await insertClaim(db, { ...claim, processId })
      if (isTaken) await stored.add(claim)
      return isTaken
    },
    find: (id) => findClaim(db, id),
    end: (ended) => batcher.add(ended),
    nextChange(tenantId) {
      let resolve = () => {}
      const happened = new Promise<void>((resolvePromise) => {
        resolve = resolvePromise
      })
      const resolvers = waiting.get(tenantId) ?? new Set()
      waiting.set(tenantId, resolvers.add(resolve))
      const timer = setTimeout(resolve, pollMs)
      return {
        happened,
        stop() {
          clearTimeout(timer)
          resolvers.delete(resolve)
          if (resolvers.size === 0 && waiting.get(tenantId) === resolvers) waiting.delete(tenantId)
          resolve()
        },
      }
    },
    close: batcher.close,
  }
}
