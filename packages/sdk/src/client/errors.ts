import type { components } from '../generated/api.js'

type ApiError = components['schemas']['Error']['error']

/** What the service calls an error (`type` in its answers), and what the client adds to it. */
export type ErrorCode =
  | ApiError['type']
  /** The request did not reach the service, or its answer did not arrive. */
  | 'connection_failed'
  | 'timeout'
  /** The answer is not one of Tallystick, for example that of a proxy in front of it. */
  | 'unexpected_answer'

interface ErrorFields {
  status?: number | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  details?: ApiError['details'] | undefined
  body?: unknown
  cause?: unknown
}

/** A request that was refused or failed. */
export class TallystickError extends Error {
  override name = 'TallystickError'
  readonly code: ErrorCode
  /** The HTTP status. Undefined if there was no answer. */
  readonly status: number | undefined
  /** The id of the request in the service's log. */
  readonly requestId: string | undefined
  /** The number of seconds to wait before the next attempt, if the service says so. */
  readonly retryAfter: number | undefined
  /** For `invalid_request`: every invalid value, with its path. */
  readonly details: ApiError['details'] | undefined
  /** The body of the answer as it came: JSON or text. */
  readonly body: unknown

  constructor(code: ErrorCode, message: string, fields: ErrorFields = {}) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = code
    this.status = fields.status
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.details = fields.details
    this.body = fields.body
  }
}

/** Reads the answer to a request that was not carried out. */
export async function readError(response: Response): Promise<TallystickError> {
  const text = await response.text()
  const body = parseJson(text)
  const fields = {
    status: response.status,
    requestId: response.headers.get('x-tallystick-request-id') ?? undefined,
    body: body ?? text,
  }
  const error = isErrorBody(body) ? body.error : undefined
  const retryAfter = error?.retry_after ?? readSeconds(response.headers.get('retry-after'))
  if (error)
    return new TallystickError(error.type, error.message, { ...fields, retryAfter, details: error.details })
  const message = `The answer has status ${response.status} and is not one of Tallystick: check the base URL`
  return new TallystickError('unexpected_answer', message, { ...fields, retryAfter })
}

function isErrorBody(body: unknown): body is { error: ApiError } {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined
  return typeof error === 'object' && error !== null && 'type' in error && typeof error.type === 'string'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const readSeconds = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined
