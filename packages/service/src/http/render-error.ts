import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../shared/error-code.js'
import { ApiError, databaseUnavailable, invalidRequest } from '../shared/errors.js'
import { defaultHeaders } from './default-headers.js'

/** The limit of all routes except the gateway, which reads bodies itself. */
export const managementBodyLimit = 1024 * 1024

/**
 * Converts any error to an `ApiError`. This is the only code that knows the framework's and the driver's error
 * codes.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return internalError(error)
  const { code, statusCode, message } = error as FastifyError
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(
        'payload_too_large',
        `The body is larger than ${managementBodyLimit / 1024 / 1024} MiB, the limit of this endpoint`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'Send the body as application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest('The length of the body differs from Content-Length')
    case 'FST_ERR_BAD_URL':
      return invalidRequest('The path is not a valid URL path')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalidRequest('A part of the path is too long')
    default:
  }
  // This comes before the socket codes: the caller's connection fails with the same codes as the database's, and
  // the framework marks the caller's.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    if (code === 'ECONNRESET') return invalidRequest('The connection closed before the body was complete')
    return invalidRequest(`Malformed request: ${firstLine(message)}`)
  }
  if (isDatabaseAway(error))
    return databaseUnavailable('The database cannot be reached; try again shortly', error)
  return internalError(error)
}

const internalError = (cause: unknown) =>
  new ApiError(
    'internal_error',
    'Internal error; the log contains the cause under the request id',
    {},
    { cause },
  )

const firstLine = (message: string) => message.split('\n')[0] ?? ''

/** RFC 9110 requires a challenge in every 401. */
export const challenge = 'Bearer realm="tallystick"'

/**
 * Renders every failure of every route except gateway calls. A 5xx is logged with its cause, which the answer never
 * contains.
 */
export function renderError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toApiError(error)
  if (known.status >= 500)
    request.log.error({ err: known.cause ?? known, status: known.status, error: known.type }, known.message)
  sendError(known, request, reply)
}

export function sendError(
  known: ApiError,
  request: FastifyRequest,
  reply: FastifyReply,
  body: object = known.toBody(),
): void {
  if (known.status === 401) reply.header('www-authenticate', challenge)
  // A download that is refused after its headers were set must not be saved as a file.
  reply.removeHeader('content-disposition')
  if (known.extras.retry_after !== undefined) reply.header('retry-after', known.extras.retry_after)
  reply
    .code(known.status)
    // Hooks did not run for requests that the framework refuses itself.
    .headers(defaultHeaders)
    .header('x-tallystick-request-id', request.id)
    .serializer(JSON.stringify)
    .type('application/json; charset=utf-8')
    .send(body)
}
