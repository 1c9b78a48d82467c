import type { Db } from '../../../db/index.js'
import { BoundedMap } from '../../../shared/bounded-map.js'
import { ApiError } from '../../../shared/errors.js'
import {
  countIdempotentCalls,
  type EndedIdempotentCall,
  findIdempotentCall,
  type IdempotentCallId,
} from './store.js'

/** How many calls with an Idempotency-Key one virtual key may store. They are stored for 24 hours. */
export interface StoredCallLimits {
  calls: number
  bytes: number
}

export const defaultStoredCallLimits: StoredCallLimits = { calls: 100_000, bytes: 1024 * 1024 * 1024 }

const countedForMs = 60_000
const maxKeys = 10_000

interface Stored {
  calls: number
  bytes: number
  readonly asOfMs: number
}

/**
 * Counts the stored calls of each key. The count is read from the database once a minute; in between, this process adds its own calls. A
 * key that is used on several replicas can exceed the limit by what the others store within a minute.
 */
export class StoredCalls {
  readonly #db: Db
  readonly #limits: StoredCallLimits
  readonly #now: () => number
  readonly #counted = new BoundedMap<string, Promise<Stored>>(maxKeys)

  constructor(db: Db, limits: StoredCallLimits, now: () => number = () => performance.now()) {
    this.#db = db
    this.#limits = limits
    this.#now = now
  }

  /** Throws when the key may not store another call. A request that repeats a stored call is let through. */
  async requireRoom(id: IdempotentCallId): Promise<void> {
    if ((await this.#count(id)).calls < this.#limits.calls) return
    if ((await findIdempotentCall(this.#db, id)) !== undefined) return
    const message = `This key has ${this.#limits.calls} calls with an Idempotency-Key stored, which is the limit: each is removed after 24 hours. Send this call without the header, or with another virtual key`
    throw new ApiError('rate_limit_exceeded', message, { retry_after: countedForMs / 1_000 })
  }

  /** Counts one more stored call. */
  async add(id: IdempotentCallId): Promise<void> {
    ;(await this.#count(id)).calls += 1
  }

  /** Replaces the answer by `not kept` when there is no room for it. A repeated request is then refused instead of being made twice. */
  async fitToLimit(ended: EndedIdempotentCall): Promise<EndedIdempotentCall> {
    if (typeof ended.end === 'string') return ended
    const stored = await this.#count(ended)
    const { length } = ended.end.sealed
    if (stored.bytes + length > this.#limits.bytes) return { ...ended, end: 'not kept' }
    stored.bytes += length
    return ended
  }

  async #count({ tenantId, keyId }: IdempotentCallId): Promise<Stored> {
    const known = await this.#counted.get(keyId)
    if (known !== undefined && this.#now() - known.asOfMs < countedForMs) return known
    const asOfMs = this.#now()
    const counting = countIdempotentCalls(this.#db, { tenantId, keyId }).then((count) => ({
      ...count,
      asOfMs,
    }))
    this.#counted.set(keyId, counting)
    counting.catch(() => this.#counted.delete(keyId))
    return await counting
  }
}
