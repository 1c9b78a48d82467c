import type { ReceiptDraft } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { NewReceipt } from '../write/receipt.js'
import type { Ledger } from '../write/writer.js'

const pageSize = 256

/**
 * Records the open calls of a dead process, each once: if another replica does the same, the second finds the receipt
 * in the record. Calls of tenants whose record is refused stay open until an operator has accepted the restore. Resolves with the numbers
 * of both.
 */
export async function recordInterrupted(
  db: Db,
  ledger: Pick<Ledger, 'append' | 'faultOf'>,
  processId: string,
): Promise<{ recorded: number; left: number }> {
  let recorded = 0
  let left = 0
  for (let after = ''; ; ) {
    const calls = await readOpenCalls(db, { processId, after, limit: pageSize })
    const last = calls.at(-1)
    if (!last) return { recorded, left }
    const recordable = calls.filter(({ tenantId }) => ledger.faultOf(tenantId) === null)
    await Promise.all(recordable.map((receipt) => ledger.append(receipt)))
    await deleteRecorded(
      db,
      recordable.map(({ draft }) => draft.id),
    )
    recorded += recordable.length
    left += calls.length - recordable.length
    after = last.draft.id
  }
}

/** A receipt that was in the record before has not closed its call. A restored database may have both. */
export async function deleteRecorded(db: Db, ids: readonly string[]): Promise<void> {
  await sql`delete from open_calls
    where id = any(${ids}::text[]) and exists (select from receipts where request_id = id)`.execute(db)
}

/** Reads open calls of a process, in the order of their ids. */
export async function readOpenCalls(
  db: Db,
  { processId, after = '', limit = null }: { processId: string; after?: string; limit?: number | null },
): Promise<NewReceipt[]> {
  const { rows } = await sql<{ tenant_id: string; draft: string; commitment_key: Buffer | null }>`
    select tenant_id, draft, commitment_key from open_calls
    where process_id = ${processId} and id > ${after} order by id limit ${limit}`.execute(db)
  return rows.map((row) => {
    const draft: ReceiptDraft = JSON.parse(row.draft)
    return {
      tenantId: row.tenant_id,
      draft: draft.batch === undefined ? draft : withoutUsage(draft),
      commitmentKey: row.commitment_key,
    }
  })
}

/** Returns the draft without usage. For a line of a batch that was never created, so that no provider received the line. */
export const withoutUsage = ({ tier: _, ...draft }: ReceiptDraft): ReceiptDraft => ({
  ...draft,
  ...{ inputTokens: 0, outputTokens: 0, cachedTokens: 0, costNanos: 0, counts: {}, usage: 'counted' },
})
