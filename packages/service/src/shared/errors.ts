interface ErrorDescription {
  status: number
  /** The two columns of `docs/reference/errors.md`, as Markdown. */
  cause: string
  action: string
}

/** Every way a request can fail, with the status it answers. The wire never carries a type that is not listed here. */
export const errorTable = {
  invalid_request: {
    status: 400,
    cause:
      'The request cannot be read, has unknown or invalid fields, or its cost cannot be bounded under a budget',
    action: 'Correct what `message` and `details` name. Do not retry unchanged',
  },
  invalid_webhook_url: {
    status: 400,
    cause: 'The URL leads to an address that tenants may not use',
    action: 'Use a public HTTPS address, or let the operator allow the range',
  },
  unauthorized: {
    status: 401,
    cause: 'The key is missing, invalid, revoked or expired, or the session has ended',
    action: 'Send a valid key, or sign in again',
  },
  budget_exceeded: {
    status: 402,
    cause: 'A budget, team pool or user cap has no room for the call; `budget` names it',
    action: 'Wait until `resets_at`, request more budget, or send a smaller call',
  },
  forbidden: {
    status: 403,
    cause: 'The role of the key does not allow it',
    action: 'Use a key with the role that the message names',
  },
  model_not_allowed: {
    status: 403,
    cause: 'The key, its user or its team may not use the model',
    action: 'Use an allowed model, or have a manager allow it',
  },
  policy_violation: {
    status: 403,
    cause: 'A policy blocked the request or the response; `policy_id` and `check` name it',
    action: 'Change the content, or ask the owner of the policy',
  },
  user_suspended: {
    status: 403,
    cause: 'The owner of the key is suspended',
    action: 'Ask a manager to end the suspension',
  },
  not_found: {
    status: 404,
    cause: 'There is no such path or object, or the caller may not see it',
    action: 'Check the path, the id and the key',
  },
  model_not_found: {
    status: 404,
    cause: 'The model is unknown, has no price, or its provider is not configured; the message says which',
    action: 'Correct the name, or have the provider or the price configured',
  },
  conflict: {
    status: 409,
    cause:
      'The state does not allow it: a name is taken, others depend on the object (`dependents`), or an `Idempotency-Key` was used for another request',
    action: 'Resolve what the message names, then send it again',
  },
  payload_too_large: {
    status: 413,
    cause: 'The body, a file or a reply is larger than its limit',
    action: 'Send less at a time',
  },
  unsupported_media_type: {
    status: 415,
    cause: 'The body has another media type than the endpoint reads',
    action: 'Set `Content-Type` as the message says',
  },
  upgrade_refused: {
    status: 426,
    cause: 'There is no WebSocket at this path',
    action: 'Send plain HTTP requests',
  },
  rate_limit_exceeded: {
    status: 429,
    cause: 'A limit of requests, tokens, memory or attempts is reached',
    action: 'Wait `retry_after` seconds, then retry',
  },
  internal_error: {
    status: 500,
    cause: 'An unexpected fault of the service. Nothing was forwarded without its rules',
    action: 'Retry once. Report it with the `X-Tallystick-Request-Id`',
  },
  upstream_error: {
    status: 502,
    cause:
      "The provider or MCP server cannot be reached, refused the service's credential, or ended its response early",
    action: 'Retry, or use a route with a fallback',
  },
  unavailable: {
    status: 503,
    cause: 'The service cannot record or limit calls, or is stopping. Nothing was forwarded',
    action: 'Retry after `retry_after` seconds, if given.',
  },
  upstream_timeout: {
    status: 504,
    cause: 'The provider or MCP server did not answer in time',
    action: 'Retry, or raise the timeout of the provider',
  },
} as const satisfies Record<string, ErrorDescription>

export type ErrorType = keyof typeof errorTable
export const errorTypes = Object.keys(errorTable) as ErrorType[]
export const statusOf = (type: ErrorType): number => errorTable[type].status

export interface ErrorDetail {
  path: string
  message: string
}

/** Fields that some types add beside type, message and code. */
export interface ErrorExtras {
  details?: ErrorDetail[]
  retry_after?: number
  policy_id?: string
  check?: string
  limit_usd?: number
  spent_usd?: number
  resets_at?: string | null
  /** Whose limit it is; the id is null for the pool of a team and the cap of a user. */
  budget?: { id: string | null; name: string; scope: { type: string; id: string } }
  dependents?: { type: string; id: string; name: string }[]
  dependents_total?: number
}

export interface ErrorBody {
  error: { type: ErrorType; message: string; code: number } & ErrorExtras
}

/**
 * The part of this service that failed, where a request fails through no fault of its caller, a rule or a provider. `capacity`:
 * memory or file descriptors have run out.
 */
export const serviceFaults = ['database', 'limits', 'shutdown', 'capacity', 'internal'] as const
export type ServiceFault = (typeof serviceFaults)[number]

export class ApiError extends Error {
  readonly status: number
  /** Null where the error is not the fault of this service. */
  readonly serviceFault: ServiceFault | null

  constructor(
    readonly type: ErrorType,
    message: string,
    readonly extras: ErrorExtras = {},
    { fault = 'internal', ...options }: ErrorOptions & { fault?: ServiceFault } = {},
  ) {
    super(message, options)
    this.name = 'ApiError'
    this.status = statusOf(type)
    this.serviceFault = type === 'unavailable' || type === 'internal_error' ? fault : null
  }

  toBody(): ErrorBody {
    return { error: { type: this.type, message: this.message, code: this.status, ...this.extras } }
  }
}

export const unauthorized = () => new ApiError('unauthorized', 'Missing or invalid API key')
export const forbidden = () => new ApiError('forbidden', 'Manager-level access is required')
export const notFound = (what: string) => new ApiError('not_found', `No such ${what}`)
export const conflict = (message: string) => new ApiError('conflict', message)
export const unavailable = (message: string, cause?: unknown, fault: ServiceFault = 'internal') =>
  new ApiError('unavailable', message, {}, { cause, fault })
export const databaseUnavailable = (message: string, cause?: unknown) =>
  unavailable(message, cause, 'database')
export const serviceStopping = () => unavailable('The service is shutting down', undefined, 'shutdown')
/** A fault that has no place of its own, such as malformed JSON, is reported for the whole request. */
export const invalidRequest = (message: string, details: ErrorDetail[] = [{ path: '', message }]) =>
  new ApiError('invalid_request', message, { details })

/** One fault at one place: the usual shape of a 400. */
export const invalidField = (path: string, message: string) =>
  invalidRequest(`${path}: ${message}`, [{ path, message }])
