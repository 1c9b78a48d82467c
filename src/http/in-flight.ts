import { getHeapStatistics } from 'node:v8'
import { ApiError } from '../errors.js'
import { holderOf, type Principal } from './auth/principal.js'

const mebibyte = 1024 * 1024

/** How much memory the bodies of requests under way may take. */
export interface BodyLimits {
  totalBytes: number
  /** No tenant takes all of it, however many keys it has. */
  perTenantBytes: number
  perKeyBytes: number
}

/** Whom a body belongs to. */
export type BodyHolder = Pick<Principal, 'tenantId' | 'keyId' | 'userId'>

/**
 * A body is held as bytes, as text and as values, some of them twice: a sixteenth of the heap in bytes that came leaves room
 * for all of that. One tenant may take three quarters, one key half.
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
 * Of the management interface. Its bodies are small: many times the largest one for each key, so that nobody who works with it
 * meets the limit, and a caller that sends slowly, or never ends, holds no more than that.
 */
export const managementBodyLimits: BodyLimits = {
  totalBytes: 128 * mebibyte,
  perTenantBytes: 64 * mebibyte,
  perKeyBytes: 16 * mebibyte,
}

/** Answers that their callers have not read yet. The largest, a page of 200 versions of prompts, has 50 MiB. */
export const managementAnswerLimits: BodyLimits = {
  totalBytes: 512 * mebibyte,
  perTenantBytes: 256 * mebibyte,
  perKeyBytes: 64 * mebibyte,
}

/** Answers of providers that are read to their end before they go on. The largest has 128 MiB, and each key has room for one. */
export function providerAnswerLimits(): BodyLimits {
  const totalBytes = Math.max(512 * mebibyte, Math.floor(getHeapStatistics().heap_size_limit / 4))
  return {
    totalBytes,
    perTenantBytes: Math.floor((totalBytes * 3) / 4),
    perKeyBytes: Math.floor(totalBytes / 2),
  }
}

/** Counts what the bodies of requests under way take, for each key, for each tenant and in all. */
export class BodiesInFlight {
  readonly #limits: BodyLimits
  /** By tenant and by caller; their ids differ. */
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

/** What one body takes, from its first byte until nobody holds it any more. */
export class BodyAccount {
  readonly #add: (bytes: number) => void
  #bytes = 0
  #holders = 1

  constructor(add: (bytes: number) => void) {
    this.#add = add
  }

  /** Throws when there is no room. */
  take(bytes: number): void {
    this.#add(bytes)
    this.#bytes += bytes
  }

  /** Some of it is not held any more. */
  giveBack(bytes: number): void {
    const given = Math.min(bytes, this.#bytes)
    this.#add(-given)
    this.#bytes -= given
  }

  /** Throws when there would be no room for as much. It takes nothing: what is only announced must not keep others out. */
  require(bytes: number): void {
    this.#add(bytes)
    this.#add(-bytes)
  }

  /** One more who holds the body and releases it. */
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
