/** A failure that the user can correct: only its message is shown. */
export class CommandFailure extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join('\n'))
    this.name = 'CommandFailure'
  }
}
