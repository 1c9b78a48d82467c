import type { ReceiptDraft } from '@tallystick/record/format'
import { sql } from 'kysely'
import type { Db } from '../../db/index.js'
import type { NewReceipt } from '../write/receipt.js'
import type { Ledger } from '../write/writer.js'

const pageSize = 256

/**
 * Records the open calls of a dead process, each once: if another replica does the same, the second finds the receipt
 * in the record. Resolves with the number of calls when none is left.
 */
export async function recordInterrupted(
  db: Db,
  ledger: Pick<Ledger, 'append'>,
  processId: string,
): Promise<number> {
  let recorded = 0
  for (let after = ''; ; ) {
    const calls = await readOpenCalls(db, processId, after)
    const last = calls.at(-1)
    if (!last) return recorded
    await Promise.all(calls.map((receipt) => ledger.append(receipt)))
    recorded += calls.length
    after = last.draft.id
  }
}

async function readOpenCalls(db: Db, processId: string, after: string): Promise<NewReceipt[]> {
  const { rows } = await sql<{ tenant_id: string; draft: string; commitment_key: Buffer | null }>`
    select tenant_id, draft, commitment_key from open_calls
    where process_id = ${processId} and id > ${after} order by id limit ${pageSize}`.execute(db)
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
