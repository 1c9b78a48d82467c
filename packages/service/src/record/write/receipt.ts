import type { ReceiptDraft } from '@tallystick/record/format'
import type { Statement } from '../../db/index.js'

/** A receipt that is to be recorded, with the key that opens its commitments. */
export interface NewReceipt {
  tenantId: string
  draft: ReceiptDraft
  commitmentKey: Buffer | null
  /** When the stages of the call ended, as `calls` keeps it. Beside the record: not signed, and lost where the receipt is spooled. */
  stageEnds?: readonly (number | null)[] | undefined
  /** What later calls may name of what the provider keeps of the answer. Beside the record: not signed. */
  issued?: IssuedIds | undefined
}

/** Ids that a provider issued with an answer, as hashes in hex: the ids themselves would open what the provider keeps. */
export interface IssuedIds {
  providerId: string
  /** Of the answer as a whole; null where the provider does not keep it under an id. */
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
