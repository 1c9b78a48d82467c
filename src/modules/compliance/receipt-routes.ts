import { Type } from 'typebox'
import type { Db } from '../../db/index.js'
import { notFound } from '../../errors.js'
import { type App, type Cursors, Page, PageQuery, principalOf, readPage, strict } from '../../http/index.js'
import { findReceipt, listReceipts, readRecordStart, type StoredReceipt } from '../../ledger/index.js'
import { Seq } from './proof-schema.js'
import { Receipt } from './receipt-schema.js'
import { entriesDropped } from './require-kept.js'

const tags = ['Compliance']

const presentReceipt = ({ canonical, leaf_hash }: StoredReceipt) => ({
  ...JSON.parse(canonical),
  leafHash: leaf_hash.toString('hex'),
  canonical,
})

export function registerReceiptRoutes(app: App, { db, cursors }: { db: Db; cursors: Cursors }): void {
  app.get(
    '/v1/compliance/receipts',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listReceipts',
        summary: 'List receipts',
        description:
          'The record of the tenant, newest first. Every governed call leaves exactly one receipt.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Receipt, 'ReceiptPage') },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      return await readPage({
        query: request.query,
        scope: `receipts ${tenantId}`,
        cursors,
        fetch: ({ after, limit }) =>
          listReceipts(db, tenantId, { beforeSeq: after === null ? null : Number(after), limit }),
        position: (row) => String(row.seq),
        present: presentReceipt,
      })
    },
  )

  app.get(
    '/v1/compliance/receipts/:seq',
    {
      config: { access: 'member', errors: ['not_found'] },
      schema: {
        tags,
        operationId: 'getReceipt',
        summary: 'Read a receipt',
        params: Type.Object({ seq: Seq }),
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const { tenantId } = principalOf(request)
      const { seq } = request.params
      const row = await findReceipt(db, tenantId, seq)
      if (row) return presentReceipt(row)
      const { size } = (await readRecordStart(db, tenantId)).range
      throw seq <= size ? entriesDropped(size) : notFound('receipt')
    },
  )
}
