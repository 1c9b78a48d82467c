interface ErrorBody {
  error?: { message?: string; type?: string; details?: { path: string; message: string }[] }
}

/** An error response of the service. */
export class ApiError extends Error {
  readonly status: number
  /** The error type, such as `forbidden`. */
  readonly type: string
  /** The errors of single fields. */
  readonly details: readonly { path: string; message: string }[]
  readonly retryAfterSeconds: number | null

  constructor(status: number, body: unknown, headers?: Headers) {
    const error = (body as ErrorBody | undefined)?.error
    super(error?.message ?? `The service answered with status ${status}`)
    this.status = status
    this.type = error?.type ?? 'unknown'
    this.details = error?.details ?? []
    const after = Number(headers?.get('retry-after'))
    this.retryAfterSeconds = Number.isFinite(after) && after > 0 ? after : null
  }
}

/** The message for users, with what to do next. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    const details = error.details.map(({ path, message }) => `${path}: ${message}`).join('; ')
    return details === '' ? error.message : `${error.message} (${details})`
  }
  if (error instanceof TypeError)
    return 'The service cannot be reached. Check that it is running and that you are online.'
  return error instanceof Error ? error.message : String(error)
}
