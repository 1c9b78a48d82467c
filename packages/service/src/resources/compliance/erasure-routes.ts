import { defineResource, type ManagementApi, presentEach, principalOf } from '../../http/index.js'
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
        description: `Erases the personal data of a user. The response is sent when everything is erased. If the caller disconnects, the erasure
continues.

This deletes the keys to the commitments of all receipts of the user so far, so that nobody can check what those calls
contained, not even by guessing. It also deletes captured content and stored answers of those calls, including calls in
progress. It removes the name and email address of the member, the names and metadata of the user’s keys, the addresses and
browsers of the user’s sign-ins, and the texts of budget requests, and removes all of these from the audit log.

The user id, tags and session names stay, because they are part of receipts. Receipts, chain, proofs and totals do not
change. The erasure adds a \`control\` entry to the record.`,
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
    present: presentEach(presentErasure),
    list: {
      description: 'Lists erasures, newest first.',
      rows: ({ tenantId, filter }) => listErasures(db, tenantId, filter),
      position: (row) => row.id,
    },
  })
}
