import type { Db } from '../../db/index.js'
import { findReceipt } from '../../record/index.js'

/** The first entry of a record that contains only demo data. */
export const demoEvent = 'demo.fill'

/** True when the record of a tenant starts with the demo entry. */
export async function isDemoTenant(db: Db, tenantId: string): Promise<boolean> {
  const first = await findReceipt(db, tenantId, 1)
  if (!first) return false
  const { event }: { event?: string } = JSON.parse(first.canonical)
  return event === demoEvent
}
