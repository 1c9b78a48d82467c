import { Type } from 'typebox'
import { notFound } from '../../errors.js'
import { type App, ById, Page, PageQuery, principalOf, readPage, strict } from '../../http/index.js'
import { composeBody } from './attempt.js'
import { findDelivery, listAttempts, listDeliveries } from './delivery-store.js'
import { presentAttempt, presentDelivery } from './present.js'
import { retryDelivery } from './retry-delivery.js'
import type { WebhookRoutesOptions } from './routes.js'
import { DeliveryStatus, TestOutcome, WebhookDelivery, WebhookDeliveryDetail } from './schema.js'
import { findEndpoint } from './store.js'
import { testEndpoint } from './test-endpoint.js'

const tags = ['Webhooks']
const ByDelivery = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
})

export function registerDeliveryRoutes(app: App, options: WebhookRoutesOptions): void {
  const { db, cursors } = options
  app.post(
    '/v1/webhook-endpoints/:id/test',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test to a webhook endpoint',
        description:
          'Sends a `webhook.test` event once and returns its outcome. Works for a disabled endpoint too. Takes no body.',
        params: ById,
        response: { 200: TestOutcome },
      },
    },
    async (request) => {
      const { delivered, error } = await testEndpoint(options, principalOf(request), request.params.id)
      return { delivered, error }
    },
  )

  app.get(
    '/v1/webhook-endpoints/:id/deliveries',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries to a webhook endpoint',
        description: 'Newest first. Finished ones are kept for some time (30 days, unless configured).',
        params: ById,
        querystring: Type.Object({ ...PageQuery, status: Type.Optional(DeliveryStatus) }, strict),
        response: { 200: Page(WebhookDelivery, 'WebhookDeliveryPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { id } = request.params
      if (!(await findEndpoint(db, tenantId, id))) throw notFound('webhook endpoint')
      const status = request.query.status ?? null
      return await readPage({
        query: request.query,
        scope: `webhook-deliveries ${tenantId} ${id} ${status}`,
        cursors,
        fetch: (page) => listDeliveries(db, tenantId, id, { status, ...page }),
        position: (row) => row.id,
        present: (row) => presentDelivery(row, new Date()),
      })
    },
  )

  app.get(
    '/v1/webhook-endpoints/:id/deliveries/:deliveryId',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getWebhookDelivery',
        summary: 'Read a delivery',
        description:
          'One delivery with the body that is sent and what became of each attempt. What the receiver answered is not kept, but for its status.',
        params: ByDelivery,
        response: { 200: WebhookDeliveryDetail },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { id, deliveryId } = request.params
      const endpoint = await findEndpoint(db, tenantId, id)
      if (!endpoint) throw notFound('webhook endpoint')
      const row = await findDelivery(db, tenantId, id, deliveryId)
      if (!row) throw notFound('delivery')
      return {
        ...presentDelivery(row, new Date()),
        body: composeBody({ ...row, createdAt: row.created_at, type: endpoint.type }),
        history: (await listAttempts(db, row)).map(presentAttempt),
      }
    },
  )

  app.post(
    '/v1/webhook-endpoints/:id/deliveries/:deliveryId/retry',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'retryWebhookDelivery',
        summary: 'Send a delivery again',
        description:
          'At once, under the same id. One that is delivered or dead starts again, with all of its attempts. A test cannot be sent again (409). Takes no body.',
        params: ByDelivery,
        response: { 200: WebhookDelivery },
      },
    },
    async (request) => {
      const { id, deliveryId } = request.params
      return await retryDelivery(db, principalOf(request), id, deliveryId)
    },
  )
}
