import { callerIdOf, type Principal } from '../../../http/index.js'
import { ApiError, unavailable } from '../../../shared/errors.js'
import type { SocketLimits } from './limits.js'

/** Counts the open sockets for each key and in total. */
export class SocketSlots {
  readonly #limits: Pick<SocketLimits, 'perKey' | 'total'>
  // Bounded: holders of open sockets.
  readonly #byHolder = new Map<string, number>()
  #total = 0

  constructor(limits: Pick<SocketLimits, 'perKey' | 'total'>) {
    this.#limits = limits
  }

  /** Takes a slot. Returns a function that releases it. Throws when none is free. */
  take(principal: Principal): () => void {
    const holder = callerIdOf(principal)
    const held = this.#byHolder.get(holder) ?? 0
    const { perKey, total } = this.#limits
    if (held >= perKey) {
      const message = `This key has ${perKey} open sockets, which is the limit: close one, or send plain HTTP requests`
      throw new ApiError('rate_limit_exceeded', message, { retry_after: 1 })
    }
    if (this.#total >= total)
      throw unavailable('The service has reached its limit of open sockets: send plain HTTP requests')
    this.#byHolder.set(holder, held + 1)
    this.#total += 1
    let isHeld = true
    return () => {
      if (isHeld) this.#give(holder)
      isHeld = false
    }
  }

  #give(holder: string): void {
    const held = this.#byHolder.get(holder) ?? 0
    if (held <= 1) this.#byHolder.delete(holder)
    else this.#byHolder.set(holder, held - 1)
    this.#total -= 1
  }
}
