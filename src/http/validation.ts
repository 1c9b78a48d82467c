import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { ApiError, type ErrorDetail, invalidRequest } from '../errors.js'

// The package is CommonJS: under NodeNext its callable default sits one level down.
const addFormats = addFormatsModule.default

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({ strict: false, useDefaults: true, removeAdditional: false, ...options })
  addFormats(ajv)
  return ajv
}

/**
 * Bodies are taken as they are: "60" is not a number. Query and path are text by nature and are converted.
 * The first pass stops at the first fault; only a small body that failed is read again for all of its faults,
 * so that a megabyte of wrong items cannot make a million error objects.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  const strict = createAjv({})
  const strictAll = createAjv({ allErrors: true })
  const converting = createAjv({ coerceTypes: true, allErrors: true })
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body') return asFastifyValidator(converting.compile(schema))
    const first = strict.compile(schema)
    let all: ValidateFunction | undefined
    return (data: unknown) => {
      if (first(data)) return true
      if (JSON.stringify(data ?? null).length > 65_536) return { error: faultsOf(first.errors) }
      all ??= strictAll.compile(schema)
      all(data)
      return { error: faultsOf(all.errors) }
    }
  }
}

function asFastifyValidator(validate: ValidateFunction) {
  return (data: unknown) => (validate(data) ? true : { error: faultsOf(validate.errors) })
}

function faultsOf(errors: ErrorObject[] | null | undefined): ApiError {
  const details = distinct((errors ?? []).filter(tellsSomething).map(describeFault))
  const summary = details.map((detail) => (detail.path ? `${detail.path}: ${detail.message}` : detail.message))
  return invalidRequest(summary.join('; ') || 'The request is not valid', details)
}

/** A union reports each of its branches, "or null" and itself: only what the value should have been is of use. */
function tellsSomething({ keyword, params }: ErrorObject): boolean {
  return keyword !== 'anyOf' && !(keyword === 'type' && params.type === 'null')
}

function describeFault({ instancePath, keyword, params, message }: ErrorObject): ErrorDetail {
  const path = instancePath.split('/').slice(1).map(unescapePointer)
  if (keyword === 'additionalProperties') {
    return { path: [...path, params.additionalProperty].join('.'), message: 'unknown field' }
  }
  if (keyword === 'required') return { path: [...path, params.missingProperty].join('.'), message: 'is required' }
  if (keyword === 'minProperties') return { path: path.join('.'), message: 'needs at least one field' }
  if (keyword === 'enum') {
    return { path: path.join('.'), message: `must be one of ${params.allowedValues.join(', ')}` }
  }
  return { path: path.join('.'), message: message ?? 'is not valid' }
}

const unescapePointer = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~')

/** Says a thing once, and no more than twenty of them. */
function distinct(details: ErrorDetail[]): ErrorDetail[] {
  const seen = new Map(details.map((detail) => [`${detail.path} ${detail.message}`, detail]))
  return [...seen.values()].slice(0, 20)
}

/**
 * PostgreSQL cannot store U+0000 and UTF-8 cannot hold half a surrogate pair: such text is refused at the door
 * instead of failing, or changing, on its way to the disk.
 */
export function refuseUnstorableText(value: unknown, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) {
      throw invalidRequest(`${path || 'text'}: contains a character that cannot be stored`, [
        { path, message: 'contains U+0000 or half of a surrogate pair' },
      ])
    }
  } else if (value !== null && typeof value === 'object') {
    for (const [name, item] of Object.entries(value)) {
      const place = path ? `${path}.${name}` : name
      refuseUnstorableText(name, path)
      refuseUnstorableText(item, place)
    }
  }
}
