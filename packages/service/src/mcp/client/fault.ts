import type { UpstreamEnd, UpstreamFailure } from './contract.js'

/** Why a request to a server failed. The message is for users and contains nothing that the server sent. */
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

/** The server answered HTTP 401. It did not process the request and may accept it with another credential. */
export class UnauthorizedFault extends UpstreamFault {
  constructor() {
    super('credential', 'The server requires a credential, or a different one (HTTP 401)')
  }
}
