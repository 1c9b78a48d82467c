export type { Counts } from './counts.js'
export type { LongerRates, Price, Rates, TierPrice } from './price.js'
