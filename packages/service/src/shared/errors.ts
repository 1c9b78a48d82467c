/** Every way a request can fail, with the status it answers. The wire never carries a type that is not listed here. */
const statusByType = {
  invalid_request: 400,
  invalid_webhook_url: 400,
  unauthorized: 401,
  budget_exceeded: 402,
  forbidden: 403,
  model_not_allowed: 403,
  policy_violation: 403,
  user_suspended: 403,
  not_found: 404,
  model_not_found: 404,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  upgrade_refused: 426,
  rate_limit_exceeded: 429,
  internal_error: 500,
  upstream_error: 502,
  unavailable: 503,
  upstream_timeout: 504,
} as const

export type ErrorType = keyof typeof statusByType
export const errorTypes = Object.keys(statusByType) as ErrorType[]
export const statusOf = (type: ErrorType): number => statusByType[type]

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
    this.status = statusByType[type]
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
