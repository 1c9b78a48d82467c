export {
  type CostLine,
  costLines,
  costNanos,
  type ExactCostLine,
  exactCostLines,
  unpricedKinds,
} from './cost.js'
export type { Counts } from './counts.js'
export { type CostBound, maxCostNanos } from './max-cost.js'
export type { LongerRates, Price, Rates, TierPrice } from './price.js'
export { priceHash, readPrice } from './price-text.js'
export { usdFromPrice } from './to-usd.js'
export { oneToolCall, toolCallPrice } from './tool-call.js'
export { isFree, paysFor, type Unit, usesOfUnits } from './units.js'
export { picosFromUsd, priceFromUsd, type UsdPrice, withCacheRates } from './usd.js'
