import { priceEntryId } from '@tallystick/record/format'
import { type Price, priceHash } from '@tallystick/record/pricing'
import type { Ledger } from './writer.js'

/** Prices are entries of the record, so that anyone can compute every cost again. */
export interface PriceEntries {
  /** Resolves with the hash of the price once the tenant's record contains the price. */
  ensure(tenantId: string, price: Price): Promise<string>
}

/**
 * Records each price before the first call that it applies to. The id of the entry is derived from the price, so that a record has each
 * price once, however many processes write it.
 */
export function createPriceEntries({
  ledger,
  now,
}: {
  ledger: Pick<Ledger, 'append'>
  now(): Date
}): PriceEntries {
  const hashes = new WeakMap<Price, string>()
  // Bounded: prices that calls of a tenant used since the start; people change them by hand.
  const recorded = new Map<string, Promise<unknown>>()

  function hashOf(price: Price): string {
    const known = hashes.get(price)
    if (known !== undefined) return known
    const hash = priceHash(price)
    hashes.set(price, hash)
    return hash
  }

  function record(tenantId: string, subject: string, terms: Price): Promise<unknown> {
    return ledger.append({
      tenantId,
      commitmentKey: null,
      draft: {
        id: priceEntryId(tenantId, subject),
        ts: now().toISOString(),
        kind: 'control',
        event: 'price.apply',
        subject,
        terms,
      },
    })
  }

  return {
    async ensure(tenantId, price) {
      const hash = hashOf(price)
      const name = `${tenantId} ${hash}`
      let recording = recorded.get(name)
      if (recording === undefined) {
        recording = record(tenantId, hash, price)
        recorded.set(name, recording)
        recording.catch(() => recorded.delete(name))
      }
      await recording
      return hash
    },
  }
}
