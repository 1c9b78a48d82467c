/** The parts of the OpenAPI document that tests read. */
export interface Schema {
  $ref?: string
  default?: unknown
  examples?: unknown[]
  required?: string[]
  minProperties?: number
  properties?: Record<string, Schema>
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
  example?: unknown
}

interface Described {
  operationId: string
  parameters?: Parameter[]
  'x-codeSamples'?: { source: string }[]
  requestBody?: {
    required?: boolean
    content: Record<
      string,
      { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
    >
  }
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  /** `POST /v1/keys` */
  at: string
  method: string
  path: string
  operationId: string
  parameters: Parameter[]
  /** Commands to paste. */
  samples: string[]
  body: { schema: Schema; examples: unknown[]; isRequired: boolean } | null
}

export function listOperations({ paths, components }: OpenApiDocument): Operation[] {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {})
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([name, { operationId, parameters = [], requestBody, ...more }]) => {
      const samples = (more['x-codeSamples'] ?? []).map(({ source }) => source)
      const method = name.toUpperCase()
      const content = requestBody?.content['application/json']
      const schema = resolve(content?.schema ?? {})
      // The reference page offers these bodies: the examples of the media type, or else those of the schema.
      const examples =
        content?.example !== undefined
          ? [content.example]
          : Object.values(content?.examples ?? {}).map(({ value }) => value)
      const body = content && {
        schema,
        examples: examples.length > 0 ? examples : (schema.examples ?? []),
        isRequired: requestBody?.required ?? false,
      }
      return { at: `${method} ${path}`, method, path, operationId, parameters, samples, body: body ?? null }
    }),
  )
}
