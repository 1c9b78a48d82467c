/** The proxy that requests leave by could not be used. The message names it, without its user and password. */
export class ProxyError extends Error {
  readonly code = 'PROXY_FAILED'

  constructor(
    /** What happened, as the second half of a sentence. */
    readonly what: string,
    options?: ErrorOptions,
  ) {
    super(what, options)
    this.name = 'ProxyError'
  }
}
