import { ApiError } from '../../api'

const isWithin = (path: string, field: string) => path === field || path.startsWith(`${field}.`)

export type ErrorOf = (path: string) => string | null

/** Reads the error of one field from the `details` of an API error: `fieldErrors(error)('rpmLimit')`. */
export function fieldErrors(error: unknown): ErrorOf {
  const details = detailsOf(error)
  return (field) => details.find(({ path }) => isWithin(path, field))?.message ?? null
}

/** A refused address has no details, but a message that begins with the field: `url: must not be private`. */
function detailsOf(error: unknown): ApiError['details'] {
  if (!(error instanceof ApiError)) return []
  const [, path, message] = /^(url): (.+)$/s.exec(error.message) ?? []
  return error.details.length === 0 && path && message ? [{ path, message }] : error.details
}

/** Whether every detail of the error belongs to one of these fields, so that no summary is needed. */
export function isCoveredByFields(error: unknown, fields: readonly string[]): boolean {
  const details = detailsOf(error)
  return details.length > 0 && details.every(({ path }) => fields.some((field) => isWithin(path, field)))
}
