/** Why somebody is not connected, in words for that user: never with anything that was received. */
export class ConsentFault extends Error {
  constructor(
    message: string,
    /** Whether it may go better the next time, with nothing changed. */
    readonly isPassing: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'ConsentFault'
  }
}

/** A request could not be made or answered. A `TypeError`, as `fetch` has it: the official package takes any other for an answer. */
export class FetchFault extends TypeError {}
