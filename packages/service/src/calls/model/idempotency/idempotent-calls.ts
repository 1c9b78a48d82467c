import { type Changes, createBatcher, type Db } from '../../../db/index.js'
import {
  type EndedIdempotentCall,
  endIdempotentCall,
  findIdempotentCall,
  type IdempotentCallId,
  insertIdempotentCall,
  type NewIdempotentCall,
  type StoredIdempotentCall,
} from './store.js'
import { defaultStoredCallLimits, type StoredCallLimits, StoredCalls } from './stored-calls.js'

/** Tracks on all replicas which call answers the requests with an Idempotency-Key. */
export interface IdempotentCalls {
  /**
   * Resolves with true when this request is the first with the key and may call. Rejects when the virtual key has too many stored calls.
   */
  take(call: Omit<NewIdempotentCall, 'processId'>): Promise<boolean>
  find(id: IdempotentCallId): Promise<StoredIdempotentCall | undefined>
  /** Stores how a call ended, in the background. Retried until it succeeds. */
  end(ended: EndedIdempotentCall): void
  /** Resolves when a call of the tenant may have ended, or after the poll interval. `stop` ends the wait. */
  nextChange(tenantId: string): { happened: Promise<void>; stop(): void }
  close(): Promise<void>
}

export interface IdempotentCallsOptions {
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

export function createIdempotentCalls({
  db,
  changes,
  processId,
  onError,
  pollMs = defaultPollMs,
  limits = defaultStoredCallLimits,
}: IdempotentCallsOptions): IdempotentCalls {
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
  const batcher = createBatcher<EndedIdempotentCall>({
    async write(group) {
      for (const ended of group) await endIdempotentCall(db, await stored.fitToLimit(ended))
    },
    maxGroupSize: 1,
    retry: { afterMs: retryAfterMs, onError },
  })

  return {
    async take(call) {
      await stored.requireRoom(call)
      const isTaken = await insertIdempotentCall(db, { ...call, processId })
      if (isTaken) await stored.add(call)
      return isTaken
    },
    find: (id) => findIdempotentCall(db, id),
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
