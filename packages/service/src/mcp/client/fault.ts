import type { UpstreamEnd, UpstreamFailure } from './contract.js'

/** Why a request to a server has no answer. The message is for people, and says nothing that the server sent. */
export class UpstreamFault extends Error {
  constructor(
    readonly failure: UpstreamFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'UpstreamFault'
  }

  toEnd(): UpstreamEnd {
    return { type: 'failure', failure: this.failure, message: this.message }
  }
}

export const badAnswer = (message: string, cause?: unknown): UpstreamFault =>
  new UpstreamFault('bad_answer', message, { cause })

/** HTTP 401: the server did not take the request, and may take it with another credential. */
export class UnauthorizedFault extends UpstreamFault {
  constructor() {
    super('credential', 'The server wants a credential, or another one (HTTP 401)')
  }
}
