import type { Statement } from '../../db/index.js'
import type { ReceiptDraft } from '../format/entry.js'

/** A receipt on its way into the record, with the key that opens its commitments. */
export interface NewReceipt {
  tenantId: string
  draft: ReceiptDraft
  commitmentKey: Buffer | null
}

/** A receipt that has found its place. */
export interface NumberedReceipt extends NewReceipt {
  seq: number
}

/**
 * Turns a group of receipts into statements of the group's own transaction. Everything that is derived from the
 * record (usage, spend, alerts) is written this way, so that none of it can disagree with the receipts.
 */
export type Projection = (receipts: readonly NumberedReceipt[]) => Statement[]
