/** Why an account could not be connected, as a message for the user. Never contains received values. */
export class ConsentFault extends Error {
  constructor(
    message: string,
    /** Whether a retry may succeed without any change. */
    readonly isTemporary: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ConsentFault'
  }
}

/**
 * A request failed without an answer. A `TypeError` like those of `fetch`, because the official package does not treat other errors as
 * failures.
 */
export class FetchFault extends TypeError {}
