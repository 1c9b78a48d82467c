import {
  allowNoBody,
  ById,
  defineResource,
  type ManagementApi,
  presentEach,
  principalOf,
} from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointStore,
  rotateSecret,
  updateEndpoint,
} from './endpoints/manage.js'
import { secretStatusOf } from './endpoints/secret.js'
import { type EndpointView, findEndpoint, listEndpoints } from './endpoints/store.js'
import { presentEndpoint } from './present.js'
import {
  CreateWebhookEndpoint,
  RotateSecret,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './schema.js'

export interface WebhookRoutesOptions extends Omit<EndpointStore, 'db'> {
  /** Called after a change is committed, so that this replica applies it before it answers. */
  onChange(tenantId: string): void
}

const tag = 'Webhooks'

export function registerWebhookRoutes(
  api: ManagementApi,
  { outbound, secrets, onChange }: WebhookRoutesOptions,
): void {
  const { app, db } = api
  const store = { db, outbound, secrets }
  defineResource(api, {
    path: '/v1/webhook-endpoints',
    params: ById,
    tag,
    one: 'a webhook endpoint',
    many: 'webhook endpoints',
    item: WebhookEndpoint,
    present: presentEach(async (row: EndpointView) =>
      presentEndpoint(row, await secretStatusOf(secrets, row)),
    ),
    find: ({ tenantId, params }) => findEndpoint(db, tenantId, params.id),
    onChange,
    list: {
      description: 'Lists webhook endpoints, newest first, each with the delivery that was attempted last.',
      rows: ({ tenantId, filter }) => listEndpoints(db, tenantId, filter),
      position: (row) => row.id,
    },
    create: {
      description:
        'Creates a webhook endpoint. The response contains the signing `secret`, which is not shown again. A URL that breaks the URL rules is refused with 400 (`invalid_webhook_url`) and a message that names the rule.',
      errors: ['invalid_webhook_url'],
      body: CreateWebhookEndpoint,
      answer: WebhookEndpointWithSecret,
      async run({ principal, body }) {
        await outbound.requireUrl(body.url, 'url')
        return (db) => createEndpoint({ db, secrets }, principal, body)
      },
    },
    read: {},
    update: {
      description:
        'Updates the fields that are sent and leaves all others as they are. The change applies to every delivery that has not been sent yet.',
      errors: ['not_found', 'invalid_webhook_url'],
      body: UpdateWebhookEndpoint,
      run: ({ principal, params, body }) => updateEndpoint(store, principal, params.id, body),
    },
    remove: {
      description:
        'Deletes a webhook endpoint. Its pending deliveries are not sent. Deleting a deleted endpoint also succeeds.',
      run: ({ principal, params }) => deleteEndpoint(store, principal, params.id),
    },
  })

  app.post(
    '/v1/webhook-endpoints/:id/rotate-secret',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      preValidation: allowNoBody,
      schema: {
        tags: [tag],
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook endpoint',
        description:
          'Creates a new signing secret and returns it as `secret`. For `overlapHours`, both secrets sign: each delivery has two signatures, and the receiver has to verify only one of them.',
        params: ById,
        body: RotateSecret,
        response: { 200: WebhookEndpointWithSecret },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { overlapHours = 24 } = request.body
      return await answerOnce(db, request, (db) =>
        rotateSecret({ ...store, db }, principal, request.params.id, overlapHours),
      )
    },
  )
}
