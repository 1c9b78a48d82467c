import type { Db } from '../../db/index.js'
import { findReceipt } from '../../ledger/index.js'

/** The first entry of a record in which everything is made up. */
export const demoEvent = 'demo.fill'

/** Whether the record of a tenant begins by saying that it is made up. */
export async function isDemoTenant(db: Db, tenantId: string): Promise<boolean> {
  const first = await findReceipt(db, tenantId, 1)
  if (!first) return false
  const { event }: { event?: string } = JSON.parse(first.canonical)
  return event === demoEvent
}
