import type { Hmac } from 'node:crypto'
import { startCommitment } from './commitment.js'

// Hashing 200 bytes takes 2 µs, of which the call of the hash takes most.
const maxWaitingBytes = 4 * 1024

/** A commitment to bytes that arrive in many small pieces. They are hashed together. */
export class StreamCommitment {
  readonly #hmac: Hmac
  #waiting: Buffer | null = null
  #used = 0

  constructor(key: Buffer) {
    this.#hmac = startCommitment(key)
  }

  update(bytes: Buffer): void {
    if (this.#used + bytes.length > maxWaitingBytes) this.#flush()
    if (bytes.length > maxWaitingBytes) {
      this.#hmac.update(bytes)
      return
    }
    this.#waiting ??= Buffer.allocUnsafeSlow(maxWaitingBytes)
    this.#waiting.set(bytes, this.#used)
    this.#used += bytes.length
  }

  /** Adds the last bytes and returns the commitment. */
  end(last: Buffer): string {
    this.#flush()
    return this.#hmac.update(last).digest('hex')
  }

  #flush(): void {
    if (this.#waiting === null || this.#used === 0) return
    this.#hmac.update(this.#waiting.subarray(0, this.#used))
    this.#used = 0
  }
}
