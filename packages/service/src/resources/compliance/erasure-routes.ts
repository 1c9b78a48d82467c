import { defineResource, each, type ManagementApi, principalOf } from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { CreateErasure, Erasure } from './erasures/erasure-schema.js'
import { listErasures } from './erasures/erasure-store.js'
import { type Erasures, presentErasure } from './erasures/erasures.js'

const tag = 'Compliance'

export function registerErasureRoutes(api: ManagementApi, { erasures }: { erasures: Erasures }): void {
  const { app, db } = api
  app.post(
    '/v1/compliance/erasures',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      schema: {
        tags: [tag],
        operationId: 'createErasure',
        summary: 'Erase a person',
        description:
          'Deletes the keys to the commitments of all receipts of a user so far: from then on nobody can check what those calls contained, not even by guessing. Deletes what was captured of the content of those calls, also of calls under way, and what is kept of their answers. Removes the name and email of the member, the names and metadata of the keys of the user, from where the user signed in, the texts of budget requests, and all of these from the audit log. The user id stays, and so do tags and session names, which are part of receipts. Receipts, chain, proofs and totals stay as they are. Adds a `control` entry to the record. Answers when everything is erased; if the caller disconnects, the erasure continues.',
        body: CreateErasure,
        response: { 201: Erasure },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request)
      const id = await answerOnce(db, request, (db) => erasures.begin(db, principal, request.body.userId))
      return reply.code(201).send(await erasures.finish(id))
    },
  )

  defineResource(api, {
    path: '/v1/compliance/erasures',
    tag,
    one: 'an erasure',
    many: 'erasures',
    item: Erasure,
    present: each(presentErasure),
    list: {
      description: 'Newest first.',
      rows: ({ tenantId, filter }) => listErasures(db, tenantId, filter),
      position: (row) => row.id,
    },
  })
}
