import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { describeFaults } from '../../../http/validation/describe-faults.js'
import { ApiError } from '../../../shared/errors.js'
import { isObject, type Json, stringOf } from './json.js'
import { suggest } from './nearest.js'

const addFormats = addFormatsModule.default

const documentId = 'https://tallystick.invalid/openapi.json'

/** What the OpenAPI document of the service says about the bodies of one kind. */
export interface BodySchema {
  /** Fills in defaults, and returns faults. */
  complete(body: Json): { path: string[]; message: string }[]
  /** Whether an existing object accepts another value of the field. */
  canChange(field: string): boolean
  /** The fields of an existing object that are in its create body too. */
  fields: readonly string[]
  /** The default of a field, as far as the document knows it. */
  defaultOf(field: string): unknown
}

/** Returns null for a collection that this service does not have. */
export type FindSchema = (path: string, extraFields?: Json) => BodySchema | null

export function readSchemas(openapi: unknown): FindSchema {
  const document = isObject(openapi) ? openapi : {}
  const paths = isObject(document.paths) ? document.paths : {}
  const components = isObject(document.components) ? document.components : {}
  const schemas = isObject(components.schemas) ? components.schemas : {}
  const ajv = new Ajv({ strict: false, verbose: true, allErrors: true, useDefaults: true })
  addFormats(ajv)
  ajv.addSchema({ $id: documentId, components: { schemas } })

  function bodyOf(path: string, method: string): Json | null {
    const item = paths[path]
    const operation = isObject(item) ? item[method] : undefined
    const schema = dig(operation, ['requestBody', 'content', 'application/json', 'schema'])
    if (!isObject(schema)) return null
    const name = stringOf(schema.$ref).split('/').at(-1) ?? ''
    const named = schemas[name]
    return isObject(named) ? named : schema
  }

  // Bounded: by the kinds.
  const known = new Map<string, BodySchema | null>()
  return (path, extraFields = {}) => {
    const schema = known.get(path) ?? schemaOf(path, extraFields)
    known.set(path, schema)
    return schema
  }

  function schemaOf(path: string, extraFields: Json): BodySchema | null {
    const create = bodyOf(path, 'post')
    if (create === null) return null
    const updatable = new Set([
      ...Object.keys(propertiesOf(bodyOf(`${path}/{id}`, 'patch'))),
      ...Object.keys(extraFields),
    ])
    const properties = { ...propertiesOf(create), ...extraFields }
    const validate: ValidateFunction = ajv.compile(pointInto({ ...create, properties }))
    return {
      complete: (body) => (validate(body) ? [] : faultsOf(validate.errors ?? [])),
      canChange: (field) => updatable.has(field),
      fields: Object.keys(properties).filter((field) => field !== 'name'),
      defaultOf: (field) => dig(properties, [field, 'default']),
    }
  }
}

/** References of the document are relative to it. */
function pointInto(schema: unknown): Json {
  const text = JSON.stringify(schema).replaceAll('"#/components/', `"${documentId}#/components/`)
  const value: unknown = JSON.parse(text)
  return isObject(value) ? value : {}
}

function faultsOf(errors: readonly ErrorObject[]): { path: string[]; message: string }[] {
  const described = describeFaults(errors, 'body')
  const details = described instanceof ApiError ? (described.extras.details ?? []) : []
  return details.map(({ path, message }) => {
    const steps = path.split('.')
    const field = steps.at(-1) ?? ''
    const error = errors.find(({ params }) => params.additionalProperty === field)
    const known = error && message === 'unknown field' ? Object.keys(propertiesOf(error.parentSchema)) : []
    return { path: steps, message: `${path} ${message}${suggest(field, known)}`.trim() }
  })
}

function propertiesOf(schema: unknown): Json {
  const properties = dig(schema, ['properties'])
  return isObject(properties) ? properties : {}
}

const dig = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), value)
