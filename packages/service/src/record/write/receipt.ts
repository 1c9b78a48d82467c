import type { ReceiptDraft } from '@tallystick/record/format'
import type { Statement } from '../../db/index.js'

/** A receipt that is to be recorded, with the key that opens its commitments. */
export interface NewReceipt {
  tenantId: string
  draft: ReceiptDraft
  commitmentKey: Buffer | null
  /** When the stages of the call ended, for the `calls` table. Not part of the record, and lost when the receipt is spooled. */
  stageEnds?: readonly (number | null)[] | undefined
  /** The ids of stored objects that later calls may refer to. Not part of the record. */
  issued?: IssuedIds | undefined
}

/** Ids that a provider issued with an answer, as hashes in hex, because the ids themselves give access to stored objects. */
export interface IssuedIds {
  providerId: string
  /** The id of the whole answer. Null when the provider does not store the answer. */
  answer: string | null
  others: readonly string[]
}

/** A receipt with its number in the record. */
export interface NumberedReceipt extends NewReceipt {
  seq: number
}

/**
 * Turns a group of receipts into statements that run in the group's transaction. Everything that is derived from the
 * record (usage, spend, alerts) is written this way, so that it cannot disagree with the receipts.
 */
export type Projection = (receipts: readonly NumberedReceipt[]) => Statement[]
