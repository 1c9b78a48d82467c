import { createHash } from 'node:crypto'

/** Returns the id of the entry that adds a price to a record. It is derived from the price, so that a record has each price once. */
export function priceEntryId(tenantId: string, hash: string): string {
  const id = createHash('sha256').update([tenantId, 'price.apply', hash].join('\n')).digest('hex')
  return `ctl_${id.slice(0, 32)}`
}
