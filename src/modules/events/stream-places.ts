import { ApiError } from '../../errors.js'
import { holderOf, type Principal } from '../../http/index.js'

/** How many streams may be open at once on this process. */
export interface StreamLimits {
  perProcess: number
  perTenant: number
  perKey: number
}

/** A browser opens one for each tab. No tenant takes all places, however many keys it has. */
export const defaultStreamLimits: StreamLimits = { perProcess: 1_000, perTenant: 250, perKey: 20 }

const retryAfterSeconds = 5

export class StreamPlaces {
  readonly #limits: StreamLimits
  /** By tenant and by caller; their ids differ. */
  readonly #open = new Map<string, number>()
  #total = 0

  constructor(limits: StreamLimits) {
    this.#limits = limits
  }

  /** Throws when there is no place. Returns how to give it back. */
  take(principal: Pick<Principal, 'tenantId' | 'keyId' | 'userId'>): () => void {
    const { perProcess, perTenant, perKey } = this.#limits
    const { tenantId, keyId } = principal
    const holder = holderOf(principal)
    const ids = [tenantId, holder]
    require(this.#openOf(holder), perKey, keyId === null ? 'This user' : 'This key')
    require(this.#openOf(tenantId), perTenant, 'This tenant')
    require(this.#total, perProcess, 'This replica')
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
}

function require(open: number, limit: number, whose: string): void {
  if (open < limit) return
  const message = `${whose} has ${limit} event streams open on this replica, the most there may be: close one, or let several readers share one`
  throw new ApiError('rate_limit_exceeded', message, { retry_after: retryAfterSeconds })
}
