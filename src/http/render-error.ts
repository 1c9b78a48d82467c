import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../error-code.js'
import { ApiError, databaseUnavailable, invalidRequest } from '../errors.js'
import { answerHeaders } from './answer-headers.js'

/** Of everything but the gateway, which reads bodies itself. */
export const managementBodyLimit = 1024 * 1024

/** What went wrong, in our own terms. The one place that knows the framework's and the driver's error codes. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (!(error instanceof Error)) return internalError(error)
  const { code, statusCode, message } = error as FastifyError
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new ApiError(
        'payload_too_large',
        `The body is larger than ${managementBodyLimit / 1024 / 1024} MiB, the most that this endpoint takes`,
      )
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new ApiError('unsupported_media_type', 'Send the body as application/json')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return invalidRequest('The body does not have the length that Content-Length says')
    case 'FST_ERR_BAD_URL':
      return invalidRequest('The path is not a valid URL path')
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return invalidRequest('A part of the path is too long')
    default:
  }
  // Before the codes of sockets: the caller's own breaks as the database's does, and the framework says whose it was.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    if (code === 'ECONNRESET') return invalidRequest('The body broke off before its end')
    return invalidRequest(`Malformed request: ${firstLine(message)}`)
  }
  if (isDatabaseAway(error))
    return databaseUnavailable('The database cannot be reached; try again shortly', error)
  return internalError(error)
}

const internalError = (cause: unknown) =>
  new ApiError(
    'internal_error',
    'Something went wrong on our side; the request id names it in the logs',
    {},
    { cause },
  )

const firstLine = (message: string) => message.split('\n')[0] ?? ''

/** RFC 9110 wants a challenge in every 401. */
export const challenge = 'Bearer realm="tallystick"'

/** Renders every failure of every route but the gateway's calls. A 5xx is logged with its cause; the answer never carries it. */
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
  // A download that is refused after its headers were set is no file.
  reply.removeHeader('content-disposition')
  if (known.extras.retry_after !== undefined) reply.header('retry-after', known.extras.retry_after)
  reply
    .code(known.status)
    // What the framework refuses by itself has not met our hooks.
    .headers(answerHeaders)
    .header('x-tallystick-request-id', request.id)
    .serializer(JSON.stringify)
    .type('application/json; charset=utf-8')
    .send(body)
}
