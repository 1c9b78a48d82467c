import serializers from '@fastify/fast-json-stringify-compiler'
import { Ajv, type Options, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import type { FastifySchemaCompiler, FastifySerializerCompiler } from 'fastify'
import { describeFaults, type RequestPart } from './describe-faults.js'

// The package is CommonJS: under NodeNext its callable default is one level down.
const addFormats = addFormatsModule.default

function createAjv(options: Options): Ajv {
  const ajv = new Ajv({
    strict: false,
    verbose: true,
    useDefaults: true,
    removeAdditional: false,
    ...options,
  })
  addFormats(ajv)
  ajv.addFormat('date-time', isDateTime)
  return ajv
}

/** ISO 8601 with a time zone and an existing time: no leap second, which a `Date` cannot represent. */
function isDateTime(text: string): boolean {
  const match = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/i.exec(text)
  if (!match?.[1] || Number.isNaN(Date.parse(text))) return false
  // `Date` converts the 30th of February to the 2nd of March.
  return new Date(`${match[1]}T00:00:00Z`).toISOString().startsWith(match[1])
}

const parts: Record<string, RequestPart> = { params: 'path', headers: 'headers' }

const compileStrict = oncePerSchema(() => compilerOf({}))
const compileStrictAll = oncePerSchema(() => compilerOf({ allErrors: true }))
const compileConverting = oncePerSchema(() => compilerOf({ coerceTypes: true, allErrors: true }))
const compileSerializer = oncePerSchema(() => {
  const compile = serializers.SerializerSelector()({}, {})
  return (schema) => compile({ schema, method: '', url: '', httpStatus: '' })
})

function compilerOf(options: Options): (schema: object) => ValidateFunction {
  const ajv = createAjv(options)
  return (schema) => ajv.compile(schema)
}

/**
 * Bodies are not converted: "60" is not a number. Query and path are text and are converted. The first pass stops
 * at the first fault; only a small body that failed is validated again for all of its faults, so that a megabyte of
 * wrong items cannot produce a million error objects.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<object> {
  return ({ schema, httpPart }) => {
    if (httpPart !== 'body')
      return asFastifyValidator(compileConverting(schema), parts[httpPart ?? ''] ?? 'query')
    const first = compileStrict(schema)
    const all = compileStrictAll(schema)
    return (data: unknown) => {
      if (first()(data)) return true
      if (JSON.stringify(data ?? null).length > 65_536)
        return { error: describeFaults(first().errors, 'body') }
      all()(data)
      return { error: describeFaults(all().errors, 'body') }
    }
  }
}

function asFastifyValidator(validate: () => ValidateFunction, part: RequestPart) {
  return (data: unknown) => (validate()(data) ? true : { error: describeFaults(validate().errors, part) })
}

/** Answers are serialised by functions compiled from their schemas. */
export function createSerializerCompiler(): FastifySerializerCompiler<object> {
  return ({ schema }) => {
    const serialize = compileSerializer(schema)
    return (data) => serialize()(data)
  }
}

/**
 * Compiles a schema when it is first needed: compiling all of them took a quarter of the start time. Routes with
 * the same schema share the result, and so do the servers of a process.
 */
function oncePerSchema<T>(createCompiler: () => (schema: object) => T): (schema: object) => () => T {
  const compiled = new Map<string, T>()
  const compiler = whenNeeded(createCompiler)
  return (schema) =>
    whenNeeded(() => {
      const text = JSON.stringify(schema)
      const result = compiled.get(text) ?? compiler()(schema)
      compiled.set(text, result)
      return result
    })
}

function whenNeeded<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
