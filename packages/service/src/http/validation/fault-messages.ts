import type { ErrorObject } from 'ajv'

const types: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

const formats: Record<string, string> = {
  'date-time': 'a date and time with its zone, such as 2026-01-31T09:30:00Z',
  email: 'an email address',
  uri: 'a URL',
}

/**
 * Returns what a value should have been: a type, a literal, one of a list. A literal is more specific than its
 * type.
 */
export function expectationOf({ keyword, params, parentSchema }: ErrorObject): string {
  if (parentSchema?.const !== undefined) return String(parentSchema.const)
  if (parentSchema?.enum !== undefined) return parentSchema.enum.join(', ')
  if (keyword === 'type')
    return [params.type]
      .flat()
      .map((type) => types[type] ?? type)
      .join(' or ')
  return 'something else'
}

/** "must be a whole number or null", "must be one of generic, chat". */
export function joinExpectations(expectations: string[]): string {
  const known = new Set(Object.values(types))
  const distinct = [...new Set(expectations)]
  if (distinct.every((each) => !known.has(each))) return `must be one of ${distinct.join(', ')}`
  return `must be ${distinct.join(' or ')}`
}

/** A schema may describe its pattern in `x-expects`; no caller should have to read a regular expression. */
export function describeKeyword(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error
  const expects: unknown = parentSchema?.['x-expects']
  const isAboutText = keyword === 'pattern' || keyword === 'minLength' || keyword === 'maxLength'
  if (isAboutText && typeof expects === 'string') return `must be ${expects}`
  switch (keyword) {
    case 'type':
    case 'const':
    case 'enum':
      return `must be ${parentSchema?.enum === undefined ? '' : 'one of '}${expectationOf(error)}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return params.limit === 1 ? 'needs at least one item' : `needs at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'uniqueItems':
      return 'must not have the same item twice'
    case 'minProperties':
      return params.limit === 1 ? 'needs at least one field' : `needs at least ${params.limit} fields`
    case 'maxProperties':
      return `must have at most ${params.limit} fields`
    case 'format':
      return `must be ${formats[params.format] ?? `a valid ${params.format}`}`
    default:
      return error.message ?? 'is not valid'
  }
}
