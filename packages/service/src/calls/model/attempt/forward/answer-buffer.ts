import type { BodiesInFlight, BodyAccount } from '../../../../http/index.js'
import { cleanErrorBody } from '../../../../providers/index.js'
import { scopeIdsOf } from '../../../../resources/keys/index.js'
import type { UpstreamHead } from '../../answer.js'
import type { DecidedModelAttempt } from '../attempt.js'

/** Collects an answer that is read to its end before it is sent. Its memory is counted for the key. */
export class AnswerBuffer {
  readonly #attempt: DecidedModelAttempt
  readonly #answers: Pick<BodiesInFlight, 'open'>
  readonly #chunks: Buffer[] = []
  #account: BodyAccount | null = null

  constructor(attempt: DecidedModelAttempt, answers: Pick<BodiesInFlight, 'open'>) {
    this.#attempt = attempt
    this.#answers = answers
  }

  /** Throws when there is not enough memory left. */
  add(chunk: Buffer): void {
    this.#account ??= this.#answers.open(scopeIdsOf(this.#attempt.entitlements))
    this.#account.take(chunk.length)
    this.#chunks.push(chunk)
  }

  /** Returns the complete answer. Details about the account are removed from errors of the provider. */
  read(head: UpstreamHead): { head: UpstreamHead; body: Buffer } {
    const body = Buffer.concat(this.#chunks)
    const { status, headers } = head
    const { call, reservation } = this.#attempt
    const { auth, name } = reservation.target.provider
    // With the caller's own account, nothing needs to be hidden.
    if (status < 400 || auth === 'caller') return { head, body }
    const { 'content-encoding': encoding, ...others } = headers
    const cleaned = cleanErrorBody(body, status, name, call.endpoint, encoding)
    if (cleaned === null) return { head, body }
    return { head: { status, headers: { ...others, 'content-type': 'application/json' } }, body: cleaned }
  }

  release(): void {
    this.#account?.release()
  }
}
