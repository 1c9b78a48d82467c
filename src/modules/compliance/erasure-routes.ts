import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { type App, type Cursors, Page, PageQuery, principalOf, readPage, strict } from '../../http/index.js'
import { answerOnce } from '../idempotency/index.js'
import { CreateErasure, Erasure } from './erasure-schema.js'
import { listErasures } from './erasure-store.js'
import { type Erasures, presentErasure } from './erasures.js'

const tags = ['Compliance']

export function registerErasureRoutes(
  app: App,
  { db, cursors, erasures }: { db: Db; cursors: Cursors; erasures: Erasures },
): void {
  app.post(
    '/v1/compliance/erasures',
    {
      config: { access: 'manager', idempotent: true, errors: ['not_found'] },
      schema: {
        tags,
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

  app.get(
    '/v1/compliance/erasures',
    {
      config: { access: 'reader' },
      schema: {
        tags,
        operationId: 'listErasures',
        summary: 'List erasures',
        description: 'Newest first.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Erasure, 'ErasurePage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `erasures ${tenantId}`,
        cursors,
        fetch: (page) => listErasures(db, tenantId, page),
        position: (row) => row.id,
        present: presentErasure,
      })
    },
  )
}
