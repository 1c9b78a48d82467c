import { errorCode } from '../shared/error-code.js'
import { ProxyError } from '../shared/proxy-error.js'
import { RefusedAddressError } from './vetted-connector.js'

const messages: Record<string, string> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before the answer was complete',
  EPIPE: 'The connection was closed before the answer was complete',
  UND_ERR_SOCKET: 'The connection was closed before the answer was complete',
  EHOSTUNREACH: 'The host cannot be reached',
  ENETUNREACH: 'The host cannot be reached',
  ENOTFOUND: 'The host name cannot be resolved',
  ENODATA: 'The host name cannot be resolved',
  EAI_AGAIN: 'The host name cannot be resolved',
  ETIMEOUT: 'The host name cannot be resolved in time',
  ETIMEDOUT: 'No connection was made in time',
  UND_ERR_CONNECT_TIMEOUT: 'No connection was made in time',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
}

/** Whether our own rules forbid the address. Of several addresses of one name, the first failure stands for all. */
export const isRefusedAddress = (error: Error): boolean =>
  error instanceof RefusedAddressError ||
  (error instanceof AggregateError && error.errors[0] instanceof RefusedAddressError)

/** What went wrong, for the tenant who set the URL: reveals neither the address that it resolved to nor anything received. */
export function describeFailure(error: Error): string {
  if (error instanceof RefusedAddressError) return `The address is refused: it ${error.message}`
  if (error instanceof ProxyError) return capitalize(error.message)
  // Several addresses of one name were tried: the first failure stands for all.
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return describeFailure(error.errors[0])
  const code = errorCode(error) ?? error.name
  if (messages[code] !== undefined) return messages[code]
  if (error.name === 'HTTPParserError') return 'The answer is not HTTP'
  if (/CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code)) return `The TLS connection failed (${code})`
  return `The call failed (${code})`
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
