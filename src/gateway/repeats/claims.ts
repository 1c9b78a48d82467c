import { type Changes, createBatcher, type Db } from '../../db/index.js'
import {
  type Claim,
  type ClaimedCall,
  type EndedClaim,
  endClaim,
  findClaim,
  insertClaim,
  type RepeatId,
} from './store.js'
import { defaultStoredCallLimits, type StoredCallLimits, StoredCalls } from './stored-calls.js'

/** Which calls answer for the requests that repeat them, on all replicas. */
export interface Claims {
  /** True when the request may call: nobody else has called, or does, under this key. Rejects when the virtual key has too many stored calls. */
  take(claim: Omit<Claim, 'processId'>): Promise<boolean>
  find(id: RepeatId): Promise<ClaimedCall | undefined>
  /** Never waits, and never fails: it is tried until it succeeds. */
  end(ended: EndedClaim): void
  /** Resolves when a claim of the tenant may have ended, or after a while. `stop` ends the waiting. */
  nextChange(tenantId: string): { happened: Promise<void>; stop(): void }
  close(): Promise<void>
}

export interface ClaimsOptions {
  db: Db
  changes: Changes
  processId: string
  onError(error: unknown): void
  /** How often those that wait look by themselves: a process that died announces nothing. */
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
