import type { ErrorObject } from 'ajv'
import { type ApiError, type ErrorDetail, invalidRequest } from '../../shared/errors.js'
import { describeKeyword, expectationOf, joinExpectations } from './fault-messages.js'

export type RequestPart = 'body' | 'query' | 'path' | 'headers'

const maxDetails = 20

/** Describes the validator's errors in messages that state what to send instead. */
export function describeFaults(
  errors: readonly ErrorObject[] | null | undefined,
  part: RequestPart,
): ApiError {
  const details = distinct(explain(errors ?? [], part))
  const shown = details.slice(0, maxDetails)
  const summary = shown.map(({ path, message }) => `${path || `the ${part}`}: ${message}`)
  if (details.length > shown.length) summary.push(`and ${details.length - shown.length} more`)
  return invalidRequest(summary.join('; ') || `The ${part} is not valid`, shown)
}

function distinct(details: ErrorDetail[]): ErrorDetail[] {
  return [...new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail])).values()]
}

/** The outermost union is explained first, so that faults of branches that were not meant are never examined. */
function explain(errors: readonly ErrorObject[], part: RequestPart): ErrorDetail[] {
  const union = errors
    .filter((error) => error.keyword === 'anyOf' || error.keyword === 'oneOf')
    .sort((a, b) => a.schemaPath.length - b.schemaPath.length)[0]
  if (!union) return errors.map((error) => describeFault(error, part))
  const own: ErrorObject[] = []
  const others: ErrorObject[] = []
  for (const error of errors) {
    if (error !== union) (belongsTo(union, error) ? own : others).push(error)
  }
  return [...explain(others, part), ...explainUnion(union, own, part)]
}

const belongsTo = (union: ErrorObject, error: ErrorObject) =>
  error.schemaPath.startsWith(`${union.schemaPath}/`) && error.instancePath.startsWith(union.instancePath)

/**
 * A union reports the faults of every branch, including those that the value was never meant for. A useful message
 * describes the intended branch or, when it cannot be determined, lists the choices.
 */
function explainUnion(union: ErrorObject, errors: ErrorObject[], part: RequestPart): ErrorDetail[] {
  const branches = new Map<string, ErrorObject[]>()
  for (const error of errors) {
    const branch = stepsBelow(union, error)[0] ?? ''
    branches.set(branch, [...(branches.get(branch) ?? []), error])
  }
  const [nearest] = [...branches.values()]
    .filter((branch) => !branch.some((error) => choosesAnother(union, error)))
    .sort((a, b) => a.length - b.length)
  if (nearest) return explain(nearest, part)

  const choices = errors.filter((error) => choosesAnother(union, error))
  const byField = choices.filter((error) => error.instancePath !== union.instancePath)
  const clearest = byField.length > 0 ? byField : choices
  return [{ path: pathOf(clearest[0] ?? union), message: joinExpectations(clearest.map(expectationOf)) }]
}

const stepsBelow = (union: ErrorObject, error: ErrorObject) =>
  error.schemaPath.slice(union.schemaPath.length + 1).split('/')

/**
 * True when a fault shows that another branch was meant: another type, or another value of the discriminating
 * field.
 */
function choosesAnother(union: ErrorObject, error: ErrorObject): boolean {
  const { keyword, instancePath } = error
  if (instancePath === union.instancePath)
    return keyword === 'type' || keyword === 'const' || keyword === 'enum'
  // For example `2/properties/kind/const`: a literal directly in the branch.
  return keyword === 'const' && stepsBelow(union, error).length === 4
}

function describeFault(error: ErrorObject, part: RequestPart): ErrorDetail {
  const { keyword, params, data, propertyName } = error
  const path = pathOf(error)
  if (part === 'query' && Array.isArray(data)) return { path, message: 'may be given only once' }
  if (keyword === 'required') return { path: join(path, params.missingProperty), message: 'is required' }
  if (keyword === 'additionalProperties') {
    return {
      path: join(path, params.additionalProperty),
      message: part === 'query' ? 'unknown query parameter' : 'unknown field',
    }
  }
  if (keyword === 'propertyNames')
    return { path: join(path, params.propertyName), message: 'is not allowed as a name' }
  if (propertyName !== undefined)
    return { path: join(path, propertyName), message: `the name ${describeKeyword(error)}` }
  return { path, message: describeKeyword(error) }
}

const pathOf = ({ instancePath }: ErrorObject) =>
  instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')

const join = (path: string, name: string) => (path ? `${path}.${name}` : name)
