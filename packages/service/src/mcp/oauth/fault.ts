/** Why an account could not be connected, as a message for the user. Never contains received values. */
export class ConsentFault extends Error {
  constructor(
    message: string,
    /** Whether a retry may succeed without any change. */
    readonly isPassing: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ConsentFault'
  }
}

/** A request could not be made or answered. A `TypeError`, as `fetch` has it: the official package takes any other for an answer. */
export class FetchFault extends TypeError {}
