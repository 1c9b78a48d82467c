import { Type } from 'typebox'
import {
  type App,
  type Cursors,
  costToNanos,
  ownerFilter,
  Page,
  PageQuery,
  principalOf,
  readPage,
  strict,
  Usd,
} from '../../http/index.js'
import { listReceipts, type StoredReceipt } from '../../ledger/index.js'
import { type AdjustmentParts, adjustReceipt } from './adjustments.js'
import { Seq } from './proof-schema.js'
import { Receipt } from './receipt-schema.js'
import { requireReceipt } from './require-receipt.js'

const tags = ['Compliance']

const presentReceipt = ({ canonical, leaf_hash }: StoredReceipt) => ({
  ...JSON.parse(canonical),
  leafHash: leaf_hash.toString('hex'),
  canonical,
})

const Adjustment = Type.Object(
  {
    amountUsd: Usd(
      'What the call really cost, such as by the bill of the provider; up to nine decimal places',
    ),
    reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  },
  {
    ...strict,
    title: 'AdjustReceipt',
    examples: [{ amountUsd: 0.0042, reason: 'invoice of 2026-11, line 17' }],
  },
)

export function registerReceiptRoutes(
  app: App,
  { cursors, adjustments }: { cursors: Cursors; adjustments: AdjustmentParts },
): void {
  const { db } = adjustments
  app.post(
    '/v1/compliance/receipts/:seq/adjust',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags,
        operationId: 'adjustReceipt',
        summary: 'Correct the cost of a call',
        description:
          'For a receipt whose `usage` is `counted` or `reserved`: the provider did not report what it used. The receipt stays as it is; the correction is an entry of its own in the record, which budgets and usage follow at once. Answers that entry.',
        params: Type.Object({ seq: Seq }),
        body: Adjustment,
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const { amountUsd, reason } = request.body
      const costNanos = costToNanos(amountUsd, 'amountUsd')
      const { seq } = request.params
      return presentReceipt(
        await adjustReceipt(adjustments, principalOf(request), seq, { costNanos, reason }),
      )
    },
  )

  app.get(
    '/v1/compliance/receipts',
    {
      config: { access: 'member' },
      schema: {
        tags,
        operationId: 'listReceipts',
        summary: 'List receipts',
        description:
          'The record of the tenant, newest first. Every governed call leaves exactly one receipt. A member sees the receipts of its own calls; entries of the record itself, such as a correction, are for managers and auditors.',
        querystring: Type.Object(PageQuery, strict),
        response: { 200: Page(Receipt, 'ReceiptPage') },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { tenantId } = principal
      const own = ownerFilter(principal)
      return await readPage({
        query: request.query,
        scope: `receipts ${tenantId} ${JSON.stringify(own)}`,
        cursors,
        fetch: ({ after, limit }) =>
          listReceipts(db, tenantId, { own, beforeSeq: after === null ? null : Number(after), limit }),
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
        description: 'A member reads those of its own calls.',
        params: Type.Object({ seq: Seq }),
        response: { 200: Receipt },
      },
    },
    async (request) => {
      const principal = principalOf(request)
      const { seq } = request.params
      return presentReceipt(await requireReceipt(db, principal.tenantId, seq, ownerFilter(principal)))
    },
  )
}
