import { parseObject } from '@tallystick/record/json'
import type { UpstreamEnd } from '../contract.js'
import { UpstreamFault } from '../fault.js'
import type { Message } from '../protocol/messages.js'
import type { ServerMessageHandler } from '../protocol/server-message-handler.js'

interface PendingRequest {
  handler: ServerMessageHandler
  bytesLeft: number
  end(end: UpstreamEnd): void
  fail(fault: UpstreamFault): void
}

/** The requests to one process that wait for their answers, by id. */
export class PendingRequests {
  // Bounded: open requests, each with a timeout.
  readonly #byId = new Map<number, PendingRequest>()

  /** Resolves with the answer. Rejects with an `UpstreamFault`. */
  waitForAnswer(id: number, handler: ServerMessageHandler, maxBytes: number): Promise<UpstreamEnd> {
    return new Promise((end, fail) => {
      this.#byId.set(id, { handler, bytesLeft: maxBytes, end, fail })
    })
  }

  delete(id: number): void {
    this.#byId.delete(id)
  }

  /** Delivers an answer, or progress, to its request. A message for an unknown request is ignored. */
  async deliver(message: Message, bytes: number): Promise<void> {
    const pending = this.#findFor(message)
    if (pending === undefined) return
    pending.bytesLeft -= bytes
    if (pending.bytesLeft < 0) {
      pending.fail(tooLarge())
      return
    }
    try {
      const end = await pending.handler.handle(message)
      if (end !== null) pending.end(end)
    } catch (error) {
      if (!(error instanceof UpstreamFault)) throw error
      pending.fail(error)
    }
  }

  /** Fails the request whose answer is too long. The id is at the beginning or the end of the answer. Returns false when none is found. */
  failTooLarge(excerpt: string): boolean {
    const ids = [...excerpt.matchAll(/"id"\s*:\s*(\d{1,16})/g)].map(([, id]) => Number(id))
    const pending = ids.flatMap((id) => this.#byId.get(id) ?? [])
    for (const { fail } of pending) fail(tooLarge())
    return pending.length > 0
  }

  failAll(fault: UpstreamFault): void {
    for (const { fail } of this.#byId.values()) fail(fault)
  }

  #findFor(message: Message): PendingRequest | undefined {
    // The progress token of a request is its id.
    const id = message.type === 'notification' ? parseObject(message.paramsJson)?.progressToken : message.id
    return typeof id === 'number' ? this.#byId.get(id) : undefined
  }
}

const tooLarge = (): UpstreamFault =>
  new UpstreamFault('too_large', 'The answer of the server is larger than it may be')
