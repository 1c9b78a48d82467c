/** Whole picodollars (1e-12 USD) per token; of `image`, per image. A kind without a rate of its own is no part of this price. */
export interface Rates {
  input: number
  output: number
  cached?: number
  written?: number
  writtenHour?: number
  audioIn?: number
  audioOut?: number
  image?: number
}

/** Rates for the whole call, output included, once its input is longer than this. */
export interface LongerRates {
  aboveInputTokens: number
  rates: Rates
}

/** Another price for the same call: other rates, or a factor on all rates. Fees of tools stay as they are. */
export interface TierPrice {
  rates?: Rates
  longer?: readonly LongerRates[]
  /** 1100 is a tenth more. */
  permille?: number
}

/** All that is needed to compute a cost from counts. It is part of the record, so it is plain JSON with integers only. */
export interface Price {
  rates: Rates
  /** Ascending. The last one whose threshold is passed applies. */
  longer?: readonly LongerRates[]
  /** By the name of the tier. */
  tiers?: Readonly<Record<string, TierPrice>>
  /** Picodollars for each use of a hosted tool, by its name. */
  fees?: Readonly<Record<string, number>>
}
