import { getHeapStatistics } from 'node:v8'
import { ApiError } from '../../shared/errors.js'
import { callerIdOf, type Principal } from '../auth/principal.js'

const mebibyte = 1024 * 1024

/** How much memory the bodies of open requests may take. */
export interface BodyLimits {
  totalBytes: number
  /** No tenant can use all of it, however many keys it has. */
  perTenantBytes: number
  perKeyBytes: number
}

/** The tenant and caller that a body is counted for. */
export type BodyCaller = Pick<Principal, 'tenantId' | 'keyId' | 'userId'>

/**
 * A body is in memory as bytes, as text and as parsed values, some of them twice: limiting received bytes to a
 * sixteenth of the heap leaves memory for all of that. One tenant may use three quarters of it, one key half.
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
 * Limits of the management API. Its bodies are small: each key may have many times the largest one in memory, so that
 * normal use never reaches the limit, and a caller that sends slowly or never finishes cannot exceed it.
 */
export const managementBodyLimits: BodyLimits = {
  totalBytes: 128 * mebibyte,
  perTenantBytes: 64 * mebibyte,
  perKeyBytes: 16 * mebibyte,
}

/**
 * Limits of answers that their callers have not read yet. The largest, a page of 200 prompt versions, is 50 MiB.
 */
export const managementAnswerLimits: BodyLimits = {
  totalBytes: 512 * mebibyte,
  perTenantBytes: 256 * mebibyte,
  perKeyBytes: 64 * mebibyte,
}

/**
 * Limits of provider answers that are read completely before they are forwarded. The largest is 128 MiB, and each
 * key can have one.
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
  readonly #bytesById = new Map<string, number>()
  #total = 0

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  get totalBytes(): number {
    return this.#total
  }

  open(holder: BodyCaller): BodyAccount {
    return new BodyAccount((bytes) => this.#add(holder, bytes))
  }

  #add(holder: BodyCaller, bytes: number): void {
    const { tenantId, keyId } = holder
    const caller = callerIdOf(holder)
    const { totalBytes, perTenantBytes, perKeyBytes } = this.#limits
    const whose = keyId === null ? 'of this user' : 'of this key'
    this.#require(this.#bytesOf(caller), bytes, perKeyBytes, whose)
    this.#require(this.#bytesOf(tenantId), bytes, perTenantBytes, 'of this tenant')
    this.#require(this.#total, bytes, totalBytes, 'of this service')
    this.#total += bytes
    this.#count(tenantId, bytes)
    this.#count(caller, bytes)
  }

  #bytesOf(id: string): number {
    return this.#bytesById.get(id) ?? 0
  }

  #require(held: number, bytes: number, limit: number, whose: string): void {
    if (bytes > 0 && held + bytes > limit) throw tooMuch(held, bytes, limit, whose)
  }

  #count(id: string, bytes: number): void {
    const held = this.#bytesOf(id) + bytes
    if (held === 0) this.#bytesById.delete(id)
    else this.#bytesById.set(id, held)
  }
}

/** The memory of one body, from its first byte until its last user releases it. */
export class BodyAccount {
  readonly #add: (bytes: number) => void
  #bytes = 0
  #references = 1

  constructor(add: (bytes: number) => void) {
    this.#add = add
  }

  /** Throws when the limit is reached. */
  take(bytes: number): void {
    this.#add(bytes)
    this.#bytes += bytes
  }

  /** Releases a part that is no longer in memory. */
  free(bytes: number): void {
    const freed = Math.min(bytes, this.#bytes)
    this.#add(-freed)
    this.#bytes -= freed
  }

  /**
   * Throws when this many bytes would exceed the limit. It reserves nothing: a body that is only announced must not
   * block others.
   */
  require(bytes: number): void {
    this.#add(bytes)
    this.#add(-bytes)
  }

  /** Adds a user of the body, which must release it. */
  retain(): void {
    this.#references += 1
  }

  release(): void {
    this.#references -= 1
    if (this.#references > 0) return
    this.#add(-this.#bytes)
    this.#bytes = 0
  }
}

function tooMuch(held: number, bytes: number, limit: number, whose: string): ApiError {
  const size = `${Math.ceil(limit / mebibyte)} MiB`
  if (bytes > limit)
    return new ApiError('payload_too_large', `The body needs more memory than the limit of ${size}`)
  const message = `The open requests ${whose} use ${Math.ceil(held / mebibyte)} of ${size}, and this one does not fit: try again when some have ended`
  return new ApiError('rate_limit_exceeded', message, { retry_after: 1 })
}
