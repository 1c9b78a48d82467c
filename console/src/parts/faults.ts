import { Problem } from '../api'

const isOf = (path: string, field: string) => path === field || path.startsWith(`${field}.`)

/** What the service says of a field, from the `details` of its refusal: `faultsOf(error)('rpmLimit')`. */
export function faultsOf(error: unknown): (field: string) => string | null {
  const details = error instanceof Problem ? error.details : []
  return (field) => details.find(({ path }) => isOf(path, field))?.message ?? null
}

/** All that is wrong stands beside one of these fields: nothing is left to say of the whole. */
export const isBesideFields = (error: unknown, fields: readonly string[]): boolean =>
  error instanceof Problem &&
  error.details.length > 0 &&
  error.details.every(({ path }) => fields.some((field) => isOf(path, field)))
