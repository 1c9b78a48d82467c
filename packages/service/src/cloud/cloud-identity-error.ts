/** No credentials were obtained. The message names the sources that were tried, and never contains a credential or an address. */
export class CloudIdentityError extends Error {
  constructor(
    message: string,
    /** True when a service answered and refused, so that the same request would be refused again. */
    readonly isRefused = false,
    cause?: unknown,
  ) {
    super(message, { cause })
    this.name = 'CloudIdentityError'
  }
}
