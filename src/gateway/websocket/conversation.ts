import { ApiError } from '../../errors.js'
import type { BodyAccount } from '../../http/index.js'
import { joinItems } from './items.js'

/** An answer of this socket that its caller wants to go on from, and that is not kept. Clients send the whole conversation then. */
export class PreviousResponseLost extends ApiError {
  constructor() {
    const path = 'previous_response_id'
    const message = 'names an answer that is not kept any more: send the whole input without it'
    super('invalid_request', `${path}: ${message}`, { details: [{ path, message }] })
  }
}

/**
 * What was said on a socket up to its last answer. A provider that stores nothing does not know it, so that it is put before the next
 * input. Only the last answer can be gone on from, and only where there is room to keep it.
 */
export class Conversation {
  readonly #openAccount: () => BodyAccount
  #account: BodyAccount | null = null
  #lastId: string | null = null
  #items: Buffer | null = null

  constructor(openAccount: () => BodyAccount) {
    this.#openAccount = openAccount
  }

  /** What was said up to this answer. Null where the answer is none of this socket: the provider may know it. */
  upTo(previousId: string | null): Buffer | null {
    if (previousId === null || previousId !== this.#lastId) return null
    if (this.#items === null) throw new PreviousResponseLost()
    return this.#items
  }

  /** `input`: all of it, with what was put before it. */
  keep(id: string, input: Buffer, output: Buffer | null): void {
    this.forget()
    this.#lastId = id
    if (output === null) return
    const account = this.#openAccount()
    try {
      account.take(input.length + output.length)
    } catch {
      // The next call is told, and can be made without it.
      return
    }
    this.#account = account
    // A copy: a part of a body would hold all of it in memory.
    const items = joinItems(input, output)
    this.#items = items === input || items === output ? Buffer.from(items) : items
  }

  forget(): void {
    this.#account?.release()
    this.#account = null
    this.#items = null
    this.#lastId = null
  }
}
