import { Type } from 'typebox'
import {
  costToNanos,
  defineResource,
  type ManagementApi,
  presentEach,
  principalOf,
  strict,
  Usd,
} from '../../http/index.js'
import { listReceipts, type StoredReceipt } from '../../record/index.js'
import { type AdjustmentParts, adjustReceipt } from './adjustments.js'
import { Seq } from './proof-schema.js'
import { Receipt } from './receipt-schema.js'
import { requireReceipt } from './require-receipt.js'

const tag = 'Compliance'
const BySeq = Type.Object({ seq: Seq })

const presentReceipt = ({ canonical, leaf_hash }: StoredReceipt) => ({
  ...JSON.parse(canonical),
  leafHash: leaf_hash.toString('hex'),
  canonical,
})

const Adjustment = Type.Object(
  {
    amountUsd: Usd(
      'The actual cost of the call in USD, such as from the provider’s bill, with up to nine decimal places',
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
  api: ManagementApi,
  { adjustments }: { adjustments: AdjustmentParts },
): void {
  const { app, db } = api
  app.post(
    '/v1/compliance/receipts/:seq/adjust',
    {
      config: { access: 'manager', errors: ['not_found', 'conflict'] },
      schema: {
        tags: [tag],
        operationId: 'adjustReceipt',
        summary: 'Correct the cost of a call',
        description:
          'Corrects the cost of a call whose `usage` is `counted` or `reserved`, because the provider did not report it. The receipt does not change: the correction is a new entry of the record, which is returned. Budgets and usage reflect it at once.',
        params: BySeq,
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

  defineResource(api, {
    path: '/v1/compliance/receipts',
    params: BySeq,
    tag,
    one: 'a receipt',
    many: 'receipts',
    item: Receipt,
    present: presentEach(presentReceipt),
    find: ({ tenantId, own, params }) => requireReceipt(db, tenantId, params.seq, own),
    list: {
      access: 'member',
      description:
        'Lists the entries of the tenant’s record, newest first. Every governed call leaves exactly one receipt. Members see the receipts of their own calls. Managers and auditors also see control entries and corrections.',
      rows: ({ tenantId, filter: { own, after, limit } }) =>
        listReceipts(db, tenantId, { own, beforeSeq: after === null ? null : Number(after), limit }),
      position: (row) => String(row.seq),
    },
    read: {
      access: 'member',
      description: 'Returns an entry of the record. Members can read only receipts of their own calls.',
    },
  })
}
