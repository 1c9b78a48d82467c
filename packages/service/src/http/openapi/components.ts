type Json = Record<string, unknown>

/**
 * Moves every schema with a title into `components.schemas` and replaces it by a reference. Routes can then use
 * plain schema values with inferred types, while readers and generated clients still see named types.
 */
export function hoistTitledSchemas<T extends object>(document: T): T {
  const components: Record<string, Json> = {}
  const visit = (value: unknown, isSchema: boolean): unknown => {
    if (Array.isArray(value)) return value.map((item) => visit(item, true))
    if (value === null || typeof value !== 'object') return value
    const visited = Object.fromEntries(
      Object.entries(value).map(([name, item]) => [
        name,
        name === 'example' || name === 'examples' ? item : visit(item, name !== 'info'),
      ]),
    )
    const title = visited.title
    if (!isSchema || typeof title !== 'string' || !('type' in visited || 'anyOf' in visited)) return visited
    const { title: _, ...schema } = visited
    const known = components[title]
    if (known !== undefined && withoutExamples(known) !== withoutExamples(schema)) {
      throw new Error(`two different schemas are called ${title}`)
    }
    components[title] = { ...known, ...schema }
    return { $ref: `#/components/schemas/${title}` }
  }
  const hoisted = visit(document, false) as T & { components?: Json }
  return { ...hoisted, components: { ...hoisted.components, schemas: components } }
}

/**
 * Moves response headers into `components.headers`, because some occur in nearly every answer. A name has one
 * meaning in the whole document.
 */
export function hoistHeaders<T extends { components?: unknown; paths?: unknown }>(document: T): T {
  const headers: Record<string, unknown> = {}
  for (const { responses } of operationsOf(document.paths)) {
    for (const response of Object.values(responses)) {
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        headers[name] ??= header
        if (!isSame(headers[name], header)) throw new Error(`two different headers are called ${name}`)
      }
      if (response.headers)
        response.headers = Object.fromEntries(
          Object.keys(response.headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
        )
    }
  }
  return { ...document, components: { ...(document.components as Json), headers } }
}

/**
 * Moves failures that many operations share into `components.responses`: `Error404`, or `GatewayError404` for a tag
 * whose answers have more headers. Without this, the document and the typed client would be half as large again.
 */
export function hoistFailures<T extends { components?: unknown; paths?: unknown }>(document: T): T {
  const hoisted: Record<string, unknown> = {}
  for (const { tags = [], responses } of operationsOf(document.paths)) {
    for (const [status, response] of Object.entries(responses)) {
      if (!/^[45]/.test(status) || hasOwnBody(response)) continue
      const name = [`Error${status}`, `${tags[0]}Error${status}`].find(
        (each) => hoisted[each] === undefined || isSame(hoisted[each], response),
      )
      // A third variant of the same failure is not moved.
      if (name === undefined) continue
      hoisted[name] = response
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  }
  return { ...document, components: { ...(document.components as Json), responses: hoisted } }
}

/** Readiness has a body of its own, also when it is a failure. */
const hasOwnBody = ({ content }: Operation['responses'][string]): boolean =>
  content?.['application/json']?.schema?.$ref === '#/components/schemas/Readiness'

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The generator describes every success without a description as "Default Response". */
export function describeSuccesses<T extends { paths?: unknown }>(document: T): T {
  for (const { responses } of operationsOf(document.paths)) {
    for (const [status, response] of Object.entries(responses)) {
      if (response.description === 'Default Response')
        response.description = successByStatus[status] ?? 'The request succeeded'
    }
  }
  return document
}

const successByStatus: Record<string, string> = {
  201: 'The object was created',
  202: 'The request was accepted',
}

/**
 * The generator marks every body as required. A body without required fields may be left out: its routes treat no
 * body as an empty one.
 */
export function markOptionalBodies<T extends { components?: unknown; paths?: unknown }>(document: T): T {
  const schemas = (document.components as { schemas: Record<string, Json> }).schemas
  for (const { requestBody } of operationsOf(document.paths)) {
    const reference = requestBody?.content['application/json']?.schema?.$ref ?? ''
    const { required, minProperties } = schemas[reference.split('/').at(-1) ?? ''] ?? { required: true }
    if (requestBody && required === undefined && minProperties === undefined) requestBody.required = false
  }
  return document
}

interface Operation {
  tags?: string[]
  responses: Record<
    string,
    {
      description?: string
      headers?: Record<string, unknown>
      content?: Record<string, { schema?: { $ref?: string } }>
      $ref?: string
    }
  >
  requestBody?: { required?: boolean; content: Record<string, { schema?: { $ref?: string } }> }
}

const operationsOf = (paths: unknown): Operation[] =>
  Object.values((paths ?? {}) as Record<string, Record<string, Operation>>).flatMap((methods) =>
    Object.values(methods),
  )

// The generator moves the examples of a body from its schema to the description of the body.
const withoutExamples = ({ examples: _, ...schema }: Json): string => JSON.stringify(schema)
