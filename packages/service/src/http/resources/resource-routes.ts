import type { FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { App } from '../app.js'
import type { Access } from '../auth/access.js'
import { ownerFilter, principalOf } from '../auth/principal.js'
import type { HeaderSchemas } from '../openapi/describe-answers.js'
import type { Section } from '../openapi/describe-routes.js'
import type { CascadeQuery } from '../schemas.js'
import type { PageQuery } from './pagination.js'
import type { FilterValues, ManagementCaller, Operation } from './resource.js'
import { nameOperation, type OperationName, type ResourceNames } from './resource-names.js'

/** The parts of a resource that its paths and its documentation need. */
interface DescribedResource extends ResourceNames {
  path: string
  parent?: TObject
  params?: TObject
  tag: string | Section
}

export interface OperationRoute {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  schema: FastifySchema
  /** The access of an operation that does not set its own. */
  access: Access
  errors?: Operation['errors']
  idempotent?: true
  status?: 201 | 204
  /** Headers that a successful answer can have. */
  answerHeaders?: { success: HeaderSchemas } | undefined
}

/** Adds the route of one operation. */
export type AddRoute = (
  name: OperationName,
  operation: Operation,
  route: OperationRoute,
  answer: (caller: ManagementCaller, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
) => void

export function createRouteAdder(app: App, resource: DescribedResource): AddRoute {
  const { path, parent, params, tag } = resource
  const collection = { url: path, schema: parent && { params: parent } }
  const item = { url: itemPathOf(path, params), schema: params && { params } }

  return (
    name,
    operation,
    { method, schema, idempotent, answerHeaders, status = 200, ...defaults },
    answer,
  ) => {
    const { access, errors } = { ...defaults, ...operation }
    const { operationId, summary, description } = { ...nameOperation(name, resource), ...operation }
    const { url, schema: inPath } = name === 'list' || name === 'create' ? collection : item
    app.route({
      method,
      url,
      config: {
        access,
        ...(errors && { errors }),
        ...(idempotent && { idempotent }),
        ...(answerHeaders && { answerHeaders }),
        ...(typeof tag === 'object' && { section: tag }),
      },
      schema: {
        tags: [typeof tag === 'string' ? tag : tag.name],
        operationId,
        summary,
        ...(description !== undefined && { description }),
        ...inPath,
        ...schema,
      },
      handler: async (request, reply) => {
        const principal = principalOf(request)
        const caller = { principal, tenantId: principal.tenantId, own: ownerFilter(principal) }
        return reply.code(status).send(await answer(caller, request, reply))
      },
    })
  }
}

/** `/v1/keys/:id`: the path of the collection, followed by the parameters that it does not contain. */
function itemPathOf(path: string, params: TObject = Type.Object({})): string {
  const segments = path.split('/')
  return Object.keys(params.properties)
    .map((name) => (name === '*' ? name : `:${name}`))
    .reduce((before, segment) => (segments.includes(segment) ? before : `${before}/${segment}`), path)
}

// The validator has checked each part of a request against the schema that determines its type.

export const paramsOf = <Params extends TObject>(_: Params | undefined, request: FastifyRequest) =>
  request.params as Static<Params>

export const bodyOf = <Body extends TSchema>(_: Body, request: FastifyRequest) => request.body as Static<Body>

/** Returns every filter; null for those that the request does not set. */
export function filterOf<Filters extends TProperties>(filters: Filters | undefined, request: FastifyRequest) {
  const given = request.query as Record<string, unknown>
  const values = Object.keys(filters ?? {}).map((name) => [name, given[name] ?? null])
  return Object.fromEntries(values) as FilterValues<Filters>
}

export const pageOf = (request: FastifyRequest) => request.query as Static<TObject<typeof PageQuery>>

export const cascadeOf = (request: FastifyRequest) => request.query as Static<typeof CascadeQuery>
