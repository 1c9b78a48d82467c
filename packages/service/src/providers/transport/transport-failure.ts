import { ApiError } from '../../shared/errors.js'
import { describeFileLimit } from '../../shared/file-limit.js'
import { ProxyError } from '../../shared/proxy-error.js'
import type { FailureKind, UpstreamHeaders } from '../provider.js'

/** Why a request was not sent, as a message for the caller. */
export class TransportError extends Error {
  constructor(
    readonly error: ApiError,
    readonly kind: FailureKind,
  ) {
    super(error.message, { cause: error })
    this.name = 'TransportError'
  }

  static from(cause: unknown, provider: string): TransportError {
    if (cause instanceof TransportError) return cause
    const error =
      cause instanceof ApiError
        ? cause
        : new ApiError('upstream_error', `The call could not be sent to provider ${provider}`, {}, { cause })
    return new TransportError(error, 'refused')
  }
}

export const timeoutError = (provider: string, what: string) =>
  new ApiError('upstream_timeout', `Provider ${provider} ${what}`)

export function describeFailure(
  provider: string,
  error: Error & { code?: string },
): { error: ApiError; kind: FailureKind } {
  if (error instanceof ProxyError) {
    const message = `Provider ${provider} could not be reached: ${error.message}`
    return { error: new ApiError('upstream_error', message), kind: 'connect' }
  }
  switch (error.code) {
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { error: timeoutError(provider, 'did not accept a connection in time'), kind: 'connect' }
    case 'UND_ERR_HEADERS_TIMEOUT':
      return { error: timeoutError(provider, 'did not start to answer in time'), kind: 'timeout' }
    case 'UND_ERR_BODY_TIMEOUT':
      return { error: timeoutError(provider, 'stopped sending in the middle of its answer'), kind: 'timeout' }
    case 'EMFILE':
    case 'ENFILE': {
      const message = `Provider ${provider} could not be called: ${describeFileLimit(error.code)}`
      return {
        error: new ApiError('unavailable', message, { retry_after: 1 }, { cause: error, fault: 'capacity' }),
        kind: 'connect',
      }
    }
    default: {
      const message = `Provider ${provider} could not be reached or closed the connection (${error.code ?? error.name})`
      return { error: new ApiError('upstream_error', message), kind: 'broken' }
    }
  }
}

// One day: a provider that asks for a longer wait is in error.
const maxRetryAfterMs = 86_400_000

/** Returns how long the provider asks to wait: in milliseconds (OpenAI's own header), seconds, or until a date. */
export function retryAfterMsOf(headers: UpstreamHeaders, nowMs: number): number | null {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== null) return bound(milliseconds)
  const value = headers['retry-after']
  const seconds = readNumber(value)
  if (seconds !== null) return bound(seconds * 1_000)
  const date = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(date) ? null : bound(date - nowMs)
}

const bound = (ms: number) => Math.min(Math.max(Math.ceil(ms), 0), maxRetryAfterMs)

const readNumber = (value: UpstreamHeaders[string]): number | null =>
  typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : null
