import { createHash } from 'node:crypto'

/** The id of the entry that has a price in a record: it follows from the price, so that it is in a record once. */
export function priceEntryId(tenantId: string, hash: string): string {
  const id = createHash('sha256').update([tenantId, 'price.apply', hash].join('\n')).digest('hex')
  return `ctl_${id.slice(0, 32)}`
}
