import { ApiError } from '../../../api'

export type FieldErrorOf = (path: string) => string | undefined

/** Combines the field errors of the trial and of the last save. */
export function fieldErrorsOf(...errors: unknown[]): FieldErrorOf {
  const details = errors
    .flatMap((error) => (error instanceof ApiError ? error.details : []))
    .map(({ path, message }) => ({ path: path.replace(/^draft\./, ''), message }))
  return (path) => {
    const found = details.find((detail) => detail.path === path || detail.path.startsWith(`${path}.`))
    if (!found) return undefined
    const line = /^\.(\d+)$/.exec(found.path.slice(path.length))?.[1]
    return line === undefined ? found.message : `Line ${Number(line) + 1} ${found.message}`
  }
}
