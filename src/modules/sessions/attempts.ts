import ipaddr from 'ipaddr.js'
import { ApiError } from '../../errors.js'

/** How many sign-ins may fail within the window. */
export interface AttemptLimits {
  windowMs: number
  perAddress: number
  /** From so many failures in all, each address has only as many as the next line says. */
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

/**
 * Holds back who guesses. Counted in this process: with several, each address has as many times the limit, which is nothing
 * against keys of 202 random bits; what it saves is work, log lines and audit entries. However many fail elsewhere, an
 * address that has not failed itself is let in.
 */
export class SignInAttempts {
  readonly #limits: AttemptLimits
  readonly #now: () => number
  /** When attempts failed, or began and have not succeeded yet. The address that failed last is the last one. */
  readonly #failed = new Map<string, number[]>()
  #inAll: number[] = []

  constructor(limits: AttemptLimits = defaultLimits, now: () => number = Date.now) {
    this.#limits = limits
    this.#now = now
  }

  /** Throws when the address is held back. The attempt counts as failed until it is told otherwise: many at once are counted too. */
  begin(ip: string): { succeeded(): void } {
    const { windowMs, perAddress, inAll, perAddressThen } = this.#limits
    const now = this.#now()
    const since = now - windowMs
    const address = networkOf(ip)
    this.#inAll = this.#inAll.filter((time) => time > since)
    const failed = (this.#failed.get(address) ?? []).filter((time) => time > since)
    const limit = this.#inAll.length >= inAll ? perAddressThen : perAddress
    const blocking = failed.at(-limit)
    if (blocking !== undefined) throw heldBack(Math.max(1, Math.ceil((blocking + windowMs - now) / 1_000)))
    this.#remember(address, [...failed, now])
    this.#inAll.push(now)
    return {
      succeeded: () => {
        this.#remember(address, without(this.#failed.get(address) ?? [], now))
        this.#inAll = without(this.#inAll, now)
      },
    }
  }

  #remember(address: string, times: number[]): void {
    this.#failed.delete(address)
    if (times.length > 0) this.#failed.set(address, times)
    const [oldest] = this.#failed.keys()
    if (this.#failed.size > maxAddresses && oldest !== undefined) this.#failed.delete(oldest)
  }
}

function without(times: readonly number[], one: number): number[] {
  const index = times.indexOf(one)
  return index === -1 ? [...times] : times.toSpliced(index, 1)
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
