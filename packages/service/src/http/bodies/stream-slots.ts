import { ApiError } from '../../shared/errors.js'
import { callerIdOf, type Principal } from '../auth/principal.js'

/** How many streams of one kind may be open at once in this process. */
export interface StreamLimits {
  /** The kind of stream, in the plural, for the message of a refusal. */
  kind: string
  /** What the caller can do about it. */
  advice: string
  perProcess: number
  /** No tenant can use all streams, however many keys it has. */
  perTenant: number
  perKey: number
}

/** A browser opens one event stream for each tab. */
export const eventStreamLimits: StreamLimits = {
  kind: 'event streams',
  advice: 'close one, or let several readers share one',
  perProcess: 1_000,
  perTenant: 250,
  perKey: 20,
}

/**
 * Streamed answers of the management API, such as exports. Each holds a few pages of up to 2 MiB while its reader
 * is slow: at most 100 MiB in total.
 */
export const downloadLimits: StreamLimits = {
  kind: 'downloads',
  advice: 'read one to its end, or close it',
  perProcess: 48,
  perTenant: 16,
  perKey: 4,
}

const retryAfterSeconds = 5

export class StreamSlots {
  readonly #limits: StreamLimits
  /** By tenant and by caller; their ids differ. */
  // Bounded: holders of open streams and downloads, which are bounded for each key, each tenant and in all.
  readonly #open = new Map<string, number>()
  #total = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Opens a stream; throws when the limit is reached. Returns the function that closes it. */
  take(principal: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>): () => void {
    const { perProcess, perTenant, perKey } = this.#limits
    const { tenantId, keyId } = principal
    const holder = callerIdOf(principal)
    const ids = [tenantId, holder]
    this.#require(this.#openOf(holder), perKey, keyId === null ? 'This user' : 'This key')
    this.#require(this.#openOf(tenantId), perTenant, 'This tenant')
    this.#require(this.#total, perProcess, 'This replica')
    this.#total += 1
    for (const id of ids) this.#open.set(id, this.#openOf(id) + 1)
    return () => {
      this.#total -= 1
      for (const id of ids) {
        const left = this.#openOf(id) - 1
        if (left === 0) this.#open.delete(id)
        else this.#open.set(id, left)
      }
    }
  }

  #openOf(id: string): number {
    return this.#open.get(id) ?? 0
  }

  #require(open: number, limit: number, whose: string): void {
    if (open < limit) return
    const { kind, advice } = this.#limits
    const message = `${whose} has ${limit} ${kind} open on this replica, which is the limit: ${advice}`
    throw new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
  }
}
