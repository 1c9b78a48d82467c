import { Type } from 'typebox'
import { ById, defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
import { notFound } from '../../shared/errors.js'
import { composeBody } from './delivery/attempt.js'
import { findDelivery, listAttempts, listDeliveries } from './delivery/delivery-store.js'
import { retryDelivery } from './delivery/retry-delivery.js'
import { type DeliveryRow, findEndpoint } from './endpoints/store.js'
import { testEndpoint } from './endpoints/test-endpoint.js'
import { presentAttempt, presentDelivery } from './present.js'
import type { WebhookRoutesOptions } from './routes.js'
import { DeliveryStatus, TestOutcome, WebhookDelivery, WebhookDeliveryDetail } from './schema.js'

const tag = 'Webhooks'
const ByDelivery = Type.Object({
  id: Type.String({ maxLength: 64 }),
  deliveryId: Type.String({ maxLength: 64 }),
})

export function registerDeliveryRoutes(api: ManagementApi, options: WebhookRoutesOptions): void {
  const { app, db } = api
  app.post(
    '/v1/webhook-endpoints/:id/test',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'testWebhookEndpoint',
        summary: 'Send a test to a webhook endpoint',
        description:
          'Sends a `webhook.test` event once and returns its outcome. It also works for a disabled endpoint. This operation takes no body.',
        params: ById,
        response: { 200: TestOutcome },
      },
    },
    async (request) => {
      const { delivered, error } = await testEndpoint(
        { ...options, db },
        principalOf(request),
        request.params.id,
      )
      return { delivered, error }
    },
  )

  defineResource(api, {
    path: '/v1/webhook-endpoints/:id/deliveries',
    parent: ById,
    tag,
    one: 'a webhook delivery',
    many: 'webhook deliveries',
    item: WebhookDelivery,
    present: presentEach((row: DeliveryRow) => presentDelivery(row, new Date())),
    list: {
      summary: 'List the deliveries to a webhook endpoint',
      description:
        'Lists the deliveries to a webhook endpoint, newest first. Finished deliveries are kept for 30 days by default.',
      errors: ['not_found'],
      filters: { status: Type.Optional(DeliveryStatus) },
      async rows({ tenantId, params: { id }, filter }) {
        if (!(await findEndpoint(db, tenantId, id))) throw notFound('webhook endpoint')
        return await listDeliveries(db, tenantId, id, filter)
      },
      position: (row) => row.id,
    },
  })

  app.get(
    '/v1/webhook-endpoints/:id/deliveries/:deliveryId',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'getWebhookDelivery',
        summary: 'Get a delivery',
        description:
          'Returns a delivery with the body that is sent and the outcome of each attempt. Only the status of the receiver’s response is stored.',
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
        body: composeBody({
          ...{ ...row, tenantId, createdAt: row.created_at },
          ...{ type: endpoint.type, envelope: endpoint.envelope },
        }),
        history: (await listAttempts(db, row)).map(presentAttempt),
      }
    },
  )

  app.post(
    '/v1/webhook-endpoints/:id/deliveries/:deliveryId/retry',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'retryWebhookDelivery',
        summary: 'Retry a delivery',
        description:
          'Sends a delivery again at once, with the same id. A delivery that is `delivered` or `dead` starts over with its full number of attempts. A test cannot be retried (409). This operation takes no body.',
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
