import type { BodyAccount } from '../../../http/index.js'
import { ApiError } from '../../../shared/errors.js'
import { joinItems } from './input-items.js'

/** Thrown when a call continues an answer of this socket that is no longer stored. Clients then send the whole conversation. */
export class PreviousResponseLost extends ApiError {
  constructor() {
    const path = 'previous_response_id'
    const message = 'names an answer that is no longer stored: send the whole input without it'
    super('invalid_request', `${path}: ${message}`, { details: [{ path, message }] })
  }
}

/**
 * The conversation on a socket up to its last answer. It is put before the next input, because a provider that stores nothing does not know
 * it. Only the last answer can be continued, and only if there was room to store it.
 */
export class Conversation {
  readonly #openAccount: () => BodyAccount
  #account: BodyAccount | null = null
  #lastId: string | null = null
  #items: Buffer | null = null

  constructor(openAccount: () => BodyAccount) {
    this.#openAccount = openAccount
  }

  /** Returns the conversation up to this answer. Null when the answer is not from this socket, so that the provider may know it. */
  upTo(previousId: string | null): Buffer | null {
    if (previousId === null || previousId !== this.#lastId) return null
    if (this.#items === null) throw new PreviousResponseLost()
    return this.#items
  }

  /** Stores the conversation. `input` includes what was put before it. */
  keep(id: string, input: Buffer, output: Buffer | null): void {
    this.forget()
    this.#lastId = id
    if (output === null) return
    const account = this.#openAccount()
    try {
      account.take(input.length + output.length)
    } catch {
      // The next call receives an error and can send the whole conversation.
      return
    }
    this.#account = account
    // Copied, because a slice would keep the whole body in memory.
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
