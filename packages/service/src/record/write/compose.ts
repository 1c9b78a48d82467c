import { chainEntries } from '@tallystick/record/format'
import type { Statement } from '../../db/index.js'
import type { SigningKey } from '../keys/signing-key.js'
import { moveHead, type StoredHead } from './heads.js'
import type { NewReceipt, NumberedReceipt, Projection } from './receipt.js'
import { recordStatements } from './record-statements.js'

/** A receipt of the group can never be recorded. The group can be recorded without it. */
export class InvalidReceiptError extends Error {}

export interface Composed {
  statements: Statement[]
  numbered: NumberedReceipt[]
}

export interface ComposeOptions {
  signingKey: SigningKey
  projections: readonly Projection[]
  /** The id of the writer. Null when the caller has locked the heads. */
  writer: string | null
  /** Called with the new head of each record after the commit. */
  onMoved(head: StoredHead): void
}

/**
 * Returns everything that the transaction writes after these heads. No statement is run here, so an error means that a receipt is invalid.
 * The heads are moved first, in the order of their ids, so that two replicas cannot deadlock, and one that is too late has written nothing.
 */
export function composeStatements(
  heads: readonly StoredHead[],
  group: readonly NewReceipt[],
  { signingKey, projections, writer, onMoved }: ComposeOptions,
): Composed {
  try {
    const moves: Statement[] = []
    const rest: Statement[] = []
    const numbered: NumberedReceipt[] = []
    for (const [tenantId, receipts] of byTenant(group)) {
      const head = heads.find(({ tenant }) => tenant === tenantId)
      if (!head) throw new Error(`Tenant ${tenantId} has no record`)
      const chained = chainEntries(
        head,
        receipts.map((receipt) => receipt.draft),
      )
      moves.push(moveHead(head, chained.head, writer, onMoved))
      rest.push(...recordStatements(tenantId, receipts, chained, signingKey))
      for (const [i, receipt] of receipts.entries())
        numbered.push({ ...receipt, seq: chained.entries[i]?.seq ?? 0 })
    }
    for (const project of projections) rest.push(...project(numbered))
    return { statements: [...moves, ...rest], numbered }
  } catch (cause) {
    throw new InvalidReceiptError('A receipt cannot be recorded', { cause })
  }
}

function byTenant(group: readonly NewReceipt[]): [tenantId: string, receipts: NewReceipt[]][] {
  const receipts = new Map<string, NewReceipt[]>()
  for (const receipt of group) {
    const others = receipts.get(receipt.tenantId)
    if (others) others.push(receipt)
    else receipts.set(receipt.tenantId, [receipt])
  }
  return [...receipts].sort(([a], [b]) => (a < b ? -1 : 1))
}

export const seqsById = (numbered: readonly NumberedReceipt[]): Map<string, number> =>
  new Map(numbered.map(({ draft, seq }) => [draft.id, seq]))
