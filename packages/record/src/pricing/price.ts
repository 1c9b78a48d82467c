/** Whole picodollars (1e-12 USD) per token, and for `image` per image. A kind that is absent has no rate in this price. */
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

/** The rates for a whole call, including its output, whose input is longer than `aboveInputTokens`. */
export interface LongerRates {
  aboveInputTokens: number
  rates: Rates
}

/** A different price for the same call: other rates, or a factor on all rates. The fees of tools do not change. */
export interface TierPrice {
  rates?: Rates
  longer?: readonly LongerRates[]
  /** A factor in thousandths: 1100 is 10 % more. */
  permille?: number
}

/** Everything that is needed to compute a cost from counts. It is part of the record, so it is plain JSON with integers only. */
export interface Price {
  rates: Rates
  /** Ascending by threshold. The last one whose threshold the input exceeds applies. */
  longer?: readonly LongerRates[]
  /** By the name of the tier. */
  tiers?: Readonly<Record<string, TierPrice>>
  /** Picodollars for each use of a hosted tool, by its name. */
  fees?: Readonly<Record<string, number>>
}
