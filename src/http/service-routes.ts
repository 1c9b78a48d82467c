import { Type } from 'typebox'
import { unavailable } from '../errors.js'
import type { App } from './app.js'
import { registerReferencePage } from './reference-page.js'

const Up = Type.Object({ status: Type.Literal('ok') }, { title: 'Health' })

export interface ServiceRoutes {
  /** Throws, or rejects, with the reason why the service cannot govern calls now. */
  checkReady(): Promise<void>
  metrics(): Promise<{ contentType: string; text: string }>
  signingKeys(): Promise<{ keys: object[] }>
}

/** What an operator, a scraper or a stranger may read without a key. */
export async function registerServiceRoutes(app: App, service: ServiceRoutes): Promise<void> {
  const tags = ['Service']

  app.get(
    '/healthz',
    { schema: { tags, summary: 'Is the process up', operationId: 'getHealth', response: { 200: Up } } },
    async () => ({ status: 'ok' as const }),
  )

  app.get(
    '/readyz',
    {
      config: { errors: ['unavailable'] },
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Can it govern calls now',
        description: 'Answers 200 while the database answers and receipts can be written.',
        response: { 200: Up },
      },
    },
    async () => {
      try {
        await service.checkReady()
      } catch (cause) {
        throw unavailable(cause instanceof Error ? cause.message : 'Not ready', cause)
      }
      return { status: 'ok' as const }
    },
  )

  app.get(
    '/metrics',
    {
      schema: {
        tags,
        operationId: 'getMetrics',
        summary: 'Prometheus metrics',
        produces: ['text/plain'],
        response: {
          200: {
            description: 'Prometheus text format',
            content: { 'text/plain': { schema: Type.String() } },
          },
        },
      },
    },
    async (_, reply) => {
      const { contentType, text } = await service.metrics()
      return reply.type(contentType).send(text)
    },
  )

  app.get(
    '/.well-known/tallystick/jwks.json',
    {
      schema: {
        tags,
        operationId: 'getSigningKeys',
        summary: 'Public keys of the record',
        description: 'Every key that ever sealed a record, retired ones included, as a JSON Web Key Set.',
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

  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  await registerReferencePage(app)
}
