import { Type } from 'typebox'
import { notFound } from '../../errors.js'
import {
  type App,
  allowNoBody,
  ById,
  type Cursors,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
} from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { createEndpoint, deleteEndpoint, type EndpointStore, rotateSecret, updateEndpoint } from './manage.js'
import { presentEndpoint } from './present.js'
import {
  CreateWebhookEndpoint,
  RotateSecret,
  UpdateWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointWithSecret,
} from './schema.js'
import { secretStatusOf } from './secret.js'
import { type EndpointView, findEndpoint, listEndpoints } from './store.js'

export interface WebhookRoutesOptions extends EndpointStore {
  cursors: Cursors
  /** Called after a change is committed, so that this replica acts on it before it answers. */
  onChange(tenantId: string): void
}

const tags = ['Webhooks']

export function registerWebhookRoutes(app: App, options: WebhookRoutesOptions): void {
  const { db, outbound, secrets, cursors, onChange } = options
  const present = async (row: EndpointView) => presentEndpoint(row, await secretStatusOf(secrets, row))

  app.get(
    '/v1/webhook-endpoints',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listWebhookEndpoints',
        summary: 'List webhook endpoints',
        description: 'Newest first, each with the delivery that was attempted last.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(WebhookEndpoint, 'WebhookEndpointPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `webhook-endpoints ${tenantId}`,
        cursors,
        fetch: (page) => listEndpoints(db, tenantId, page),
        position: (row) => row.id,
        present,
      })
    },
  )

  app.post(
    '/v1/webhook-endpoints',
    {
      config: { access: 'manager', idempotent: true, errors: ['invalid_webhook_url'] },
      schema: {
        tags,
        operationId: 'createWebhookEndpoint',
        summary: 'Create a webhook endpoint',
        description:
          'The response contains the signing `secret`, which is not shown again. A URL that the rules refuse is a 400 `invalid_webhook_url` whose message names the rule.',
        body: CreateWebhookEndpoint,
        response: { 201: WebhookEndpointWithSecret },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const created = await answerOnce(
        db,
        request,
        (db) => createEndpoint({ db, secrets }, principal, request.body),
        () => outbound.requireUrl(request.body.url, 'url'),
      )
      onChange(principal.tenantId)
      return reply.code(201).send(created)
    },
  )

  app.get(
    '/v1/webhook-endpoints/:id',
    {
      config: { access: 'reader', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getWebhookEndpoint',
        summary: 'Read a webhook endpoint',
        params: ById,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => {
      const row = await findEndpoint(db, principalOf(request).tenantId, request.params.id)
      if (!row) throw notFound('webhook endpoint')
      return await present(row)
    },
  )

  app.patch(
    '/v1/webhook-endpoints/:id',
    {
      config: { access: 'manager', errors: ['not_found', 'invalid_webhook_url'] },
      schema: {
        tags,
        operationId: 'updateWebhookEndpoint',
        summary: 'Change a webhook endpoint',
        description: 'Applies to every delivery that is not sent yet.',
        params: ById,
        body: UpdateWebhookEndpoint,
        response: { 200: WebhookEndpoint },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const updated = await updateEndpoint(options, principal, request.params.id, request.body)
      onChange(principal.tenantId)
      return updated
    },
  )

  app.delete(
    '/v1/webhook-endpoints/:id',
    {
      config: { access: 'manager', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'deleteWebhookEndpoint',
        summary: 'Delete a webhook endpoint',
        description: 'Open deliveries are not sent any more. Deleting again is fine.',
        params: ById,
        response: { 204: Type.Null({ description: 'Deleted' }) },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      await deleteEndpoint(options, principal, request.params.id)
      onChange(principal.tenantId)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/v1/webhook-endpoints/:id/rotate-secret',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      preValidation: allowNoBody,
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Give a webhook endpoint a new secret',
        description:
          'The response contains the new `secret`. For `overlapHours` both secrets sign: each delivery carries two signatures, and a receiver needs one of them.',
        params: ById,
        body: RotateSecret,
        response: { 200: WebhookEndpointWithSecret },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { overlapHours = 24 } = request.body
      return await answerOnce(db, request, (db) =>
        rotateSecret({ ...options, db }, principal, request.params.id, overlapHours),
      )
    },
  )
}
