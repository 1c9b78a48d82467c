import type { Price } from '@tallystick/record/pricing'

/**
 * Returns an operator's price, completed with the vendor's tiers and fees where it has none. Few operators list tiers or
 * fees, but a call in the vendor's most expensive tier must not be charged like one in the standard tier.
 */
export function withVendorPrices(price: Price, vendor: Price | undefined): Price {
  const tiers = { ...vendor?.tiers, ...price.tiers }
  const fees = { ...vendor?.fees, ...price.fees }
  return {
    ...price,
    ...(Object.keys(tiers).length > 0 && { tiers }),
    ...(Object.keys(fees).length > 0 && { fees }),
  }
}
