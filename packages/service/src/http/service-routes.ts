import { Type } from 'typebox'
import { unavailable } from '../shared/errors.js'
import type { App } from './app.js'
import { registerReferencePage } from './openapi/reference-page.js'

const Up = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })

const Readiness = Type.Object(
  {
    status: Type.Enum(['ok', 'degraded'], {
      description: '`degraded` means that the service is ready, but refuses some calls',
    }),
    checks: Type.Object({
      database: Type.Literal('ok'),
      redis: Type.Enum(['ok', 'unavailable', 'unused'], {
        description: '`unused` means that REDIS_URL is not set',
      }),
    }),
    message: Type.Union([Type.String(), Type.Null()], {
      description: 'What does not work, and why. Null when everything works',
    }),
  },
  {
    title: 'Readiness',
    examples: [{ status: 'ok', checks: { database: 'ok', redis: 'ok' }, message: null }],
  },
)

export interface ServiceRoutes {
  /**
   * Rejects with the reason why the service cannot handle calls now. Reports whether Redis is used, and what is wrong
   * with it.
   */
  checkReady(): Promise<{ redis: 'ok' | 'unused' | { fault: string } }>
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
      config: { errors: ['unavailable'] },
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Check that the service is ready',
        description: `Returns 200 while the database is available and receipts can be written. If Redis is configured but unavailable, the service
stays ready and reports itself as degraded: reading budgets and calls of keys with limits or budgets fail with 503.
Everything else works.`,
        response: { 200: Readiness },
      },
    },
    async () => {
      const { redis } = await service.checkReady().catch((cause: unknown) => {
        throw unavailable(cause instanceof Error ? cause.message : 'Not ready', cause)
      })
      if (typeof redis === 'string')
        return { status: 'ok' as const, checks: { database: 'ok' as const, redis }, message: null }
      return {
        status: 'degraded' as const,
        checks: { database: 'ok' as const, redis: 'unavailable' as const },
        message: `${redis.fault}. Calls of keys with limits or budgets, and reading budgets, get 503; everything else works`,
      }
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

  // Serialised once: it takes a few milliseconds, and slow readers share one copy.
  let document: Buffer | null = null
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
    async (_, reply) => {
      document ??= Buffer.from(JSON.stringify(app.swagger()))
      return reply.type('application/json; charset=utf-8').send(document)
    },
  )
  await registerReferencePage(app)
}
