import type { JsonObject } from '@tallystick/record/json'
import { type Access, type App, mayUseRoute, type Role } from '../../http/index.js'

/** An operation of the API, as its route declares it. */
export interface Operation {
  method: 'GET' | 'POST'
  path: string
  /** The properties of the path, query and body, as JSON Schema. */
  params: JsonObject
  query: JsonObject
  body: JsonObject
  /** The names of required inputs. */
  required: readonly string[]
  /** Whether it has filters for tags: `tag.<name>=<value>`. */
  hasTags: boolean
  mayBeUsedBy(role: Role): boolean
}

export type Operations = ReadonlyMap<string, Operation>

/** Collects every route that is registered from now on, by its operation id. */
export function collectOperations(app: App): Operations {
  const operations = new Map<string, Operation>()
  app.addHook('onRoute', ({ method, url, schema, config = {} }) => {
    const { operationId } = schema ?? {}
    if (operationId === undefined || !isOffered(method)) return
    const parts = [
      readObject(schema?.params),
      readObject(schema?.querystring),
      readObject(schema?.body),
    ] as const
    const [params, query, body] = parts
    operations.set(operationId, {
      method,
      path: url,
      params: params.properties,
      query: query.properties,
      body: body.properties,
      required: parts.flatMap(({ required }) => required),
      hasTags: query.patternProperties !== undefined,
      mayBeUsedBy: (role) => mayUseRoute(role, { method, config: routeConfig(config) }),
    })
  })
  return operations
}

const isOffered = (method: unknown): method is Operation['method'] => method === 'GET' || method === 'POST'

const routeConfig = ({ access, onlyReads }: { access?: Access; onlyReads?: true }) => ({
  ...(access !== undefined && { access }),
  ...(onlyReads !== undefined && { onlyReads }),
})

interface ObjectSchema {
  properties: JsonObject
  required: string[]
  patternProperties?: JsonObject
}

/** Removes keywords that only this service's validator and documents use. */
function readObject(schema: unknown): ObjectSchema {
  const text = JSON.stringify(schema ?? {}, (name, value) => (name.startsWith('x-') ? undefined : value))
  const read: Partial<ObjectSchema> = JSON.parse(text)
  return { ...read, properties: read.properties ?? {}, required: read.required ?? [] }
}
