import ipaddr from 'ipaddr.js'
import { ApiError } from '../../shared/errors.js'

/** How many sign-ins may fail within the window. */
export interface AttemptLimits {
  windowMs: number
  perAddress: number
  /** After this many failures in total, each address is limited as well. */
  inAll: number
  perAddressThen: number
}

const defaultLimits: AttemptLimits = {
  windowMs: 5 * 60_000,
  perAddress: 10,
  inAll: 300,
  perAddressThen: 2,
}

const maxAddresses = 10_000

interface Address {
  failedAtMs: number[]
  underWay: number
  /** Wakes attempts that wait for the outcome of others, in order of arrival. */
  waiting: (() => void)[]
}

/**
 * Slows down guessing. Counted in this process: with several replicas, an address has as many times the limit,
 * which is nothing against keys of 202 random bits; the limit saves work, log lines and audit entries. However many
 * attempts fail elsewhere, an address without failures is never refused.
 */
export class SignInAttempts {
  readonly #limits: AttemptLimits
  readonly #now: () => number
  /** The address that was used last comes last. */
  // Bounded: 10,000 addresses; the oldest goes.
  readonly #addresses = new Map<string, Address>()
  #failedAtMs: number[] = []

  constructor(limits: AttemptLimits = defaultLimits, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /**
   * Makes an attempt, or throws when the address has reached its limit. Only a refusal counts as failed, not a
   * success or an internal error. As many attempts run at once as may still fail; further ones wait for their
   * outcome, so that concurrent guesses cannot exceed the limit and concurrent sign-ins of many people are not
   * refused.
   */
  async attempt<Result>(ip: string, act: () => Promise<Result>): Promise<Result> {
    const address = this.#addressOf(networkOf(ip))
    try {
      await this.#takeTurn(address)
    } catch (error) {
      address.waiting.shift()?.()
      throw error
    }
    try {
      return await act()
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) this.#countFailure(address)
      throw error
    } finally {
      address.underWay -= 1
      address.waiting.shift()?.()
    }
  }

  async #takeTurn(address: Address): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      const { windowMs, perAddress, inAll, perAddressThen } = this.#limits
      const now = this.#now()
      const isRecent = (time: number) => time > now - windowMs
      this.#failedAtMs = this.#failedAtMs.filter(isRecent)
      address.failedAtMs = address.failedAtMs.filter(isRecent)
      const limit = this.#failedAtMs.length >= inAll ? perAddressThen : perAddress
      const blocking = address.failedAtMs.at(-limit)
      if (blocking !== undefined) throw heldBack(Math.max(1, Math.ceil((blocking + windowMs - now) / 1_000)))
      if (address.failedAtMs.length + address.underWay < limit) {
        address.underWay += 1
        return
      }
      // Another attempt is running and wakes the first one that waits.
      await new Promise<void>((resolve) => {
        if (isFirst) address.waiting.push(resolve)
        else address.waiting.unshift(resolve)
      })
    }
  }

  #countFailure(address: Address): void {
    const now = this.#now()
    address.failedAtMs.push(now)
    this.#failedAtMs.push(now)
  }

  #addressOf(network: string): Address {
    const address = this.#addresses.get(network) ?? { failedAtMs: [], underWay: 0, waiting: [] }
    this.#addresses.delete(network)
    this.#addresses.set(network, address)
    const [oldest] = this.#addresses.keys()
    if (this.#addresses.size > maxAddresses && oldest !== undefined) this.#addresses.delete(oldest)
    return address
  }
}

/** A household or a machine has a whole /64 of IPv6 to itself. */
function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}

const heldBack = (retryAfter: number) =>
  new ApiError(
    'rate_limit_exceeded',
    `Too many sign-ins from this address have failed: try again in ${retryAfter} seconds`,
    { retry_after: retryAfter },
  )
