import { getHeapStatistics } from 'node:v8'
import { ApiError } from '../../shared/errors.js'
import { holderOf, type Principal } from '../auth/principal.js'

const mebibyte = 1024 * 1024

/** How much memory the bodies of open requests may take. */
export interface BodyLimits {
  totalBytes: number
  /** No tenant can use all of it, however many keys it has. */
  perTenantBytes: number
  perKeyBytes: number
}

/** The tenant and caller that a body is counted for. */
export type BodyHolder = Pick<Principal, 'tenantId' | 'keyId' | 'userId'>

/**
 * A body is held as bytes, as text and as values, some of them twice: a sixteenth of the heap in received bytes
 * leaves memory for all of that. One tenant may use three quarters, one key half.
 */
export function defaultBodyLimits(): BodyLimits {
  const totalBytes = Math.max(96 * mebibyte, Math.floor(getHeapStatistics().heap_size_limit / 16))
  return {
    totalBytes,
    perTenantBytes: Math.max(72 * mebibyte, Math.floor((totalBytes * 3) / 4)),
    perKeyBytes: Math.max(64 * mebibyte, Math.floor(totalBytes / 2)),
  }
}

/**
 * Limits of the management API. Its bodies are small: each key may hold many times the largest one, so that normal
 * use never reaches the limit, and a caller that sends slowly or never finishes holds no more than that.
 */
export const managementBodyLimits: BodyLimits = {
  totalBytes: 128 * mebibyte,
  perTenantBytes: 64 * mebibyte,
  perKeyBytes: 16 * mebibyte,
}

/**
 * Limits of answers that their callers have not read yet. The largest, a page of 200 versions of prompts, has 50
 * MiB.
 */
export const managementAnswerLimits: BodyLimits = {
  totalBytes: 512 * mebibyte,
  perTenantBytes: 256 * mebibyte,
  perKeyBytes: 64 * mebibyte,
}

/**
 * Limits of provider answers that are read completely before they are forwarded. The largest has 128 MiB, and each
 * key can hold one.
 */
export function providerAnswerLimits(): BodyLimits {
  const totalBytes = Math.max(512 * mebibyte, Math.floor(getHeapStatistics().heap_size_limit / 4))
  return {
    totalBytes,
    perTenantBytes: Math.floor((totalBytes * 3) / 4),
    perKeyBytes: Math.floor(totalBytes / 2),
  }
}

/** Counts the memory of the bodies of open requests, for each key, for each tenant and in total. */
export class BodiesInFlight {
  readonly #limits: BodyLimits
  /** By tenant and by caller; their ids differ. */
  // Bounded: tenants and callers with open requests, which are bounded for each and in total.
  readonly #byHolder = new Map<string, number>()
  #total = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  get totalBytes(): number {
    return this.#total
  }

  open(holder: BodyHolder): BodyAccount {
    return new BodyAccount((bytes) => this.#add(holder, bytes))
  }

  #add(holder: BodyHolder, bytes: number): void {
    const { tenantId, keyId } = holder
    const caller = holderOf(holder)
    const { totalBytes, perTenantBytes, perKeyBytes } = this.#limits
    const whose = keyId === null ? 'of this user' : 'of this key'
    this.#require(this.#heldBy(caller), bytes, perKeyBytes, whose)
    this.#require(this.#heldBy(tenantId), bytes, perTenantBytes, 'of this tenant')
    this.#require(this.#total, bytes, totalBytes, 'of this service')
    this.#total += bytes
    this.#count(tenantId, bytes)
    this.#count(caller, bytes)
  }

  #heldBy(id: string): number {
    return this.#byHolder.get(id) ?? 0
  }

  #require(held: number, bytes: number, limit: number, whose: string): void {
    if (bytes > 0 && held + bytes > limit) throw tooMuch(held, bytes, limit, whose)
  }

  #count(id: string, bytes: number): void {
    const held = this.#heldBy(id) + bytes
    if (held === 0) this.#byHolder.delete(id)
    else this.#byHolder.set(id, held)
  }
}

/** The memory of one body, from its first byte until its last holder releases it. */
export class BodyAccount {
  readonly #add: (bytes: number) => void
  #bytes = 0
  #holders = 1

  constructor(add: (bytes: number) => void) {
    this.#add = add
  }

  /** Throws when the limit is reached. */
  take(bytes: number): void {
    this.#add(bytes)
    this.#bytes += bytes
  }

  /** Returns bytes that are no longer held. */
  giveBack(bytes: number): void {
    const given = Math.min(bytes, this.#bytes)
    this.#add(-given)
    this.#bytes -= given
  }

  /**
   * Throws when this many bytes would exceed the limit. It reserves nothing: a body that is only announced must not
   * block others.
   */
  require(bytes: number): void {
    this.#add(bytes)
    this.#add(-bytes)
  }

  /** Adds a holder of the body, which must release it. */
  retain(): void {
    this.#holders += 1
  }

  release(): void {
    this.#holders -= 1
    if (this.#holders > 0) return
    this.#add(-this.#bytes)
    this.#bytes = 0
  }
}

function tooMuch(held: number, bytes: number, limit: number, whose: string): ApiError {
  const size = `${Math.ceil(limit / mebibyte)} MiB`
  if (bytes > limit)
    return new ApiError('payload_too_large', `The body takes more memory than the ${size} there is`)
  const message = `The requests ${whose} that are under way hold ${Math.ceil(held / mebibyte)} MiB of ${size}, and this one does not fit: try again when some have ended`
  return new ApiError('rate_limit_exceeded', message, { retry_after: 1 })
}
