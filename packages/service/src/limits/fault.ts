/** Why limits cannot be counted in Redis. The message says what to do where it is not obvious. */
export class LimitsFault extends Error {
  constructor(
    readonly kind: 'redis_unreachable' | 'redis_refuses_writes' | 'redis_may_evict',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'LimitsFault'
  }
}
