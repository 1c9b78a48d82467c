import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type App, ById, principalOf } from '../../../http/index.js'
import { type BatchRow, findBatch, listBatches, markCancelled } from '../../../resources/batches/index.js'
import { conflict, databaseUnavailable, notFound } from '../../../shared/errors.js'
import { requireRecord } from '../../core/index.js'
import { createBatch } from '../create-batch.js'
import { callerOf, Listing, presentList } from './batch-owner.js'
import type { BatchRouteParts } from './route-parts.js'
import { Batch, BatchOrder, presentBatch } from './shapes.js'

const tags = ['Gateway']
const BatchList = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(Batch),
  has_more: Type.Boolean(),
})

const labelHeaders = ['x-tallystick-tags', 'x-tallystick-session', 'user-agent']

export function registerBatchRoutes(scope: App, parts: BatchRouteParts): void {
  const { db, seals } = parts
  const show = async (row: BatchRow) => presentBatch(row, await seals.openNotes(row))

  scope.post(
    '/v1/batches',
    {
      config: {
        access: 'member',
        errors: [
          'model_not_found',
          'model_not_allowed',
          'budget_exceeded',
          'rate_limit_exceeded',
          'unavailable',
          'conflict',
        ],
      },
      schema: {
        tags,
        operationId: 'createBatch',
        summary: 'Create a batch',
        description:
          'Creates a batch from a file. Each line is a separate call with its own receipt, and all lines must use the same model. The maximum cost of all lines, at batch prices, is reserved before the batch is created. If it does not fit a blocking budget, the whole batch is refused. Policies check each line before it is sent and each answer before it is returned; lines that they refuse are in the error file. Limits per minute do not apply to batches.',
        body: BatchOrder,
        response: { 200: Batch },
      },
    },
    async (request) => {
      const { owner, entitlements } = await callerOf(principalOf(request), parts.entitlementsOf)
      requireRecord(parts.ledger, entitlements.tenantId)
      if (!(await parts.waitUntilMayServe()))
        throw databaseUnavailable('Another process may be serving this database')
      const { input_file_id: inputFileId, endpoint, metadata = null } = request.body
      const order = { inputFileId, endpoint, metadata, headers: pickLabelHeaders(request.headers) }
      const row = await createBatch(order, owner, entitlements, parts)
      parts.onChanged()
      return await show(row)
    },
  )

  scope.get(
    '/v1/batches',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listBatches',
        summary: 'List the batches of this key',
        querystring: Listing,
        response: { 200: BatchList },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { limit = 20, after = null } = request.query
      const found = await listBatches(db, owner, { limit: limit + 1, after })
      return presentList(await Promise.all(found.map(show)), limit)
    },
  )

  scope.get(
    '/v1/batches/:id',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getBatch',
        summary: 'Get a batch',
        params: ById,
        response: { 200: Batch },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const row = await findBatch(db, owner, request.params.id)
      if (!row) throw notFound('batch')
      return await show(row)
    },
  )

  scope.post(
    '/v1/batches/:id/cancel',
    {
      config: { access: 'member', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'cancelBatch',
        summary: 'Cancel a batch',
        description:
          'Cancels a batch. Answers that the provider has already produced are kept and charged. The other lines cost nothing.',
        params: ById,
        response: { 200: Batch },
      },
    },
    async (request) => {
      const { owner } = await callerOf(principalOf(request), parts.entitlementsOf)
      const { id } = request.params
      const row = await markCancelled(db, owner, id)
      if (row === null) {
        if (await findBatch(db, owner, id)) throw conflict('The batch has ended')
        throw notFound('batch')
      }
      parts.onChanged()
      return await show(row)
    },
  )
}

/** Returns the headers of the request that carry call labels. */
const pickLabelHeaders = (headers: FastifyRequest['headers']): Record<string, string> =>
  Object.fromEntries(
    labelHeaders.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
