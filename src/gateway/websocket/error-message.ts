import type { ApiError } from '../../errors.js'
import { asText, isObject, type JsonObject } from '../../json/index.js'

type Headers = Record<string, string>

const statusRange = { min: 400, max: 599 }

/** An error of ours, as a message. `code` is what clients decide by: the type of the error, unless the protocol has a word for it. */
export function errorMessage(error: ApiError, headers: Headers = {}, code: string = error.type): string {
  const { error: told } = error.toBody()
  const { retry_after: seconds } = error.extras
  const sent = seconds === undefined ? headers : { ...headers, 'retry-after': String(seconds) }
  return writeError({}, error.status, { ...told, code }, sent)
}

/** The provider's answer to a call that it refused. */
export function refusalMessage(status: number, content: JsonObject | null, headers: Headers): string {
  const error = isObject(content?.error)
    ? content.error
    : { type: 'upstream_error', message: `The provider answered ${status}` }
  return writeError({}, status, error, headers)
}

/**
 * An error inside a stream, the provider's or ours. After it, a stream over HTTP ends; a socket stays open, so that clients look for
 * the status: without one, Codex would wait for more.
 */
export function streamErrorMessage(event: JsonObject): string {
  const { code, message, param } = event
  const error = isObject(event.error) ? event.error : { code, message, param }
  return writeError(event, readStatus(event.status) ?? readStatus(error.code) ?? 500, error, {})
}

function writeError(event: JsonObject, status: number, error: JsonObject, headers: Headers): string {
  // Clients that read it strictly know texts alone.
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
