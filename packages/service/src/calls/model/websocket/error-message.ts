import { asText, isObject, type JsonObject } from '@tallystick/record/json'
import type { ApiError } from '../../../shared/errors.js'

type Headers = Record<string, string>

const statusRange = { min: 400, max: 599 }

/**
 * Writes an error of this service as a message. Clients decide by `code`, which is the type of the error unless the protocol defines a
 * code.
 */
export function errorMessage(error: ApiError, headers: Headers = {}, code: string = error.type): string {
  const { error: body } = error.toBody()
  const { retry_after: seconds } = error.extras
  const sent = seconds === undefined ? headers : { ...headers, 'retry-after': String(seconds) }
  return writeError({}, error.status, { ...body, code }, sent)
}

/** Writes the answer of a provider that refused a call as a message. */
export function refusalMessage(status: number, content: JsonObject | null, headers: Headers): string {
  const error = isObject(content?.error)
    ? content.error
    : { type: 'upstream_error', message: `The provider answered ${status}` }
  return writeError({}, status, error, headers)
}

/**
 * Writes an error inside a stream as a message. Over HTTP the stream ends after it, but a socket stays open, so clients look for the
 * status. Without one, Codex would wait for more.
 */
export function streamErrorMessage(event: JsonObject): string {
  const { code, message, param } = event
  const error = isObject(event.error) ? event.error : { code, message, param }
  return writeError(event, readStatus(event.status) ?? readStatus(error.code) ?? 500, error, {})
}

function writeError(event: JsonObject, status: number, error: JsonObject, headers: Headers): string {
  // Strict clients accept only strings.
  const code =
    typeof error.code === 'number' ? asText(error.type) || String(error.code) : asText(error.code) || null
  return JSON.stringify({
    ...event,
    type: 'error',
    status,
    error: { ...error, code, message: asText(error.message) },
    ...(Object.keys(headers).length > 0 && { headers }),
  })
}

const readStatus = (value: unknown): number | null =>
  typeof value === 'number' && value >= statusRange.min && value <= statusRange.max ? value : null
