import { asObject, type JsonObject } from '@tallystick/record/json'
import type { Principal } from '../../http/index.js'
import { invalidRequest } from '../../shared/errors.js'
import type { ApiRequest } from './call-api.js'
import type { Operation } from './operations.js'
import type { ManagementTool } from './tools.js'

/** A tool with the operation that it calls. */
export interface OfferedTool extends ManagementTool {
  offeredTo(role: Principal['role']): boolean
  inputSchema: JsonObject
  /** Converts a call of the tool into a request. Throws an `ApiError` for an unknown argument. */
  plan(args: JsonObject, principal: Principal): { request: ApiRequest; extras: JsonObject }
}

type InputTarget = 'params' | 'query' | 'body' | 'tags' | 'extras'

interface Input {
  /** Where the request carries the input. `extras` are not sent. */
  target: InputTarget
  /** The name that the operation uses. */
  apiName: string
  schema: JsonObject
}

const tagsInput: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'Only calls with these tags, such as {"project": "alpha"}',
}

export function offerTool(tool: ManagementTool, operation: Operation): OfferedTool {
  const inputs = inputsOf(tool, operation)
  const defaultsOf = (principal: Principal): JsonObject => tool.defaults?.(principal) ?? {}
  return {
    ...tool,
    offeredTo: operation.mayBeUsedBy,
    inputSchema: schemaOf(tool, operation, inputs),
    plan(args, principal) {
      const sent = { params: {}, query: {}, body: {}, tags: {}, extras: {} } as Record<
        InputTarget,
        JsonObject
      >
      const defaults = defaultsOf(principal)
      for (const { target, apiName } of inputs.values())
        if (apiName in defaults) sent[target][apiName] = defaults[apiName]
      for (const [name, value] of Object.entries(args)) {
        const input = inputs.get(name)
        if (input === undefined) throw unknownArgument(name, [...inputs.keys()])
        // Models send null for values that they leave out. In a body, null may have a meaning.
        if (value === null && input.target !== 'body') continue
        if (input.target === 'tags') sent.tags = asObject(value)
        else sent[input.target][input.apiName] = value
      }
      const tags = Object.entries(sent.tags).map(([name, value]) => [`tag.${name}`, value] as const)
      return {
        request: {
          method: operation.method,
          path: fillPath(operation.path, sent.params),
          query: Object.fromEntries(
            [...Object.entries(sent.query), ...tags].map(([name, value]) => [name, writeText(value)]),
          ),
          body: Object.keys(operation.body).length > 0 ? sent.body : null,
        },
        extras: sent.extras,
      }
    },
  }
}

function inputsOf(tool: ManagementTool, operation: Operation): Map<string, Input> {
  const { rename = {}, describe = {}, without = [], extras = {} } = tool
  const targets = { params: operation.params, query: operation.query, body: operation.body, extras }
  const inputs = new Map<string, Input>()
  for (const [target, properties] of Object.entries(targets) as [keyof typeof targets, JsonObject][])
    for (const [apiName, property] of Object.entries(properties)) {
      if (without.includes(apiName)) continue
      const name = rename[apiName] ?? apiName
      const description = describe[name]
      const schema = { ...asObject(property), ...(description !== undefined && { description }) }
      inputs.set(name, { target, apiName, schema })
    }
  if (operation.hasTags) inputs.set('tags', { target: 'tags', apiName: 'tags', schema: tagsInput })
  return inputs
}

function schemaOf(
  tool: ManagementTool,
  { required }: Operation,
  inputs: ReadonlyMap<string, Input>,
): JsonObject {
  const filled: JsonObject = tool.defaults?.(nobody) ?? {}
  const properties = [...inputs].map(([name, { apiName, schema }]) => {
    // Defaults that depend on the caller cannot be declared.
    const value = filled[apiName]
    return [name, value === undefined || value === null ? schema : { ...schema, default: value }]
  })
  const needed = [...inputs].filter(([_, { apiName }]) => required.includes(apiName) && !(apiName in filled))
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(needed.length > 0 && { required: needed.map(([name]) => name) }),
    additionalProperties: false,
  }
}

const nobody: Principal = {
  tenantId: '',
  role: 'member',
  userId: null,
  keyId: null,
  sessionId: null,
  suspended: false,
}

const fillPath = (path: string, params: JsonObject): string =>
  path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = writeText(params[name] ?? '')
    // A segment of dots would be resolved as a path step.
    if (value === '' || /^\.+$/.test(value)) throw invalidRequest(`${name}: is missing`)
    return encodeURIComponent(value)
  })

/** Writes a value into a query or path. The operation refuses lists and objects there. */
const writeText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

const unknownArgument = (name: string, known: string[]) =>
  invalidRequest(
    `${name.slice(0, 100)}: there is no such argument; ${known.length === 0 ? 'the tool takes none' : `there are ${known.join(', ')}`}`,
  )
