import type { ReceiptSpend } from '../../limits/index.js'
import type { NumberedReceipt } from '../../record/index.js'
import { scopesOf } from '../../resources/budgets/index.js'

/** Converts a receipt of the record into what admission counts. */
export const toRecordedSpend = (receipt: NumberedReceipt): ReceiptSpend => ({
  tenantId: receipt.tenantId,
  attemptId: receipt.draft.id,
  seq: receipt.seq,
  nanos: receipt.draft.costNanos ?? 0,
  tokens: (receipt.draft.inputTokens ?? 0) + (receipt.draft.outputTokens ?? 0),
  atMs: Date.parse(receipt.draft.ts),
  scopes: scopesOf(receipt),
})
