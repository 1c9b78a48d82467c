import { Type } from 'typebox'
import type { App } from './app.js'
import { registerReferencePage } from './openapi/reference-page.js'
import { prefixOf } from './path-prefix.js'
import { Readiness } from './readiness.js'

const Up = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })

export interface ServiceRoutes {
  /** Returns the state of everything that calls depend on. Takes a few seconds at most, whatever hangs. */
  readiness(): Promise<Readiness>
  metrics(): Promise<{ contentType: string; body: Buffer }>
  signingKeys(): Promise<{ keys: object[] }>
}

/** Registers the routes that operators, metrics scrapers and the public may read without a key. */
export async function registerServiceRoutes(app: App, service: ServiceRoutes): Promise<void> {
  const tags = ['Service']

  app.get(
    '/healthz',
    {
      schema: {
        tags,
        summary: 'Check that the process is alive',
        operationId: 'getHealth',
        response: { 200: Up },
      },
    },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check that the service is ready',
        description: `Returns 200 while the service is \`ready\` or \`degraded\`, and 503 while it is \`unready\`. Each check has its state, since when,
and in words what is wrong and what to do. A load balancer needs only the status.`,
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_, reply) => {
      const readiness = await service.readiness()
      return reply.code(readiness.status === 'unready' ? 503 : 200).send(readiness)
    },
  )

  app.get(
    '/metrics',
    {
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Get metrics',
        produces: ['text/plain'],
        response: {
          200: {
            description: 'The metrics in the Prometheus text format',
            content: { 'text/plain': { schema: Type.Unsafe<string | Buffer>(Type.String()) } },
          },
        },
      },
    },
    async (_, reply) => {
      const { contentType, body } = await service.metrics()
      return reply.type(contentType).send(body)
    },
  )

  app.get(
    '/.well-known/tallystick/jwks.json',
    {
      schema: {
        tags,
        operationId: 'getSigningKeys',
        summary: 'Get the public keys of the record',
        description:
          'Returns every key that has ever signed a record, including retired keys, as a JSON Web Key Set.',
        response: {
          200: Type.Object(
            { keys: Type.Array(Type.Object({}, { additionalProperties: true })) },
            { title: 'KeySet' },
          ),
        },
      },
    },
    async (_, reply) => {
      reply.header('cache-control', 'public, max-age=60')
      return service.signingKeys()
    },
  )

  // Serialised once: it takes a few milliseconds, and slow readers share one copy. Requests come below one prefix.
  let document: { prefix: string; bytes: Buffer } | null = null
  const describe = (prefix: string): Buffer => {
    if (document?.prefix === prefix) return document.bytes
    const servers = [{ url: prefix || '/', description: 'This server' }]
    document = { prefix, bytes: Buffer.from(JSON.stringify({ ...app.swagger(), servers })) }
    return document.bytes
  }
  app.get(
    '/openapi.json',
    {
      schema: {
        tags,
        operationId: 'getApiDescription',
        summary: 'Get the OpenAPI document',
        description:
          'Returns this API description as an OpenAPI 3.1 document. `GET /docs` shows it in a browser.',
        response: { 200: Type.Unsafe<object>({ type: 'object', additionalProperties: true }) },
      },
    },
    async (request, reply) => {
      return reply.type('application/json; charset=utf-8').send(describe(prefixOf(request)))
    },
  )
  await registerReferencePage(app)
}
