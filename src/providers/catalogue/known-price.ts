import type { Price } from '../../pricing/index.js'

/**
 * An operator's price of a model. Of tiers and fees that it does not name, the vendor's hold: few operators name any, and a call
 * in the vendor's dearest tier must not cost what one in the standard tier does.
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
