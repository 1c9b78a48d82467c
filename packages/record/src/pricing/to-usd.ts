import type { LongerRates, Price, Rates, TierPrice } from './price.js'
import type { UsdPrice, UsdRates, UsdTier } from './usd.js'

const picosPerUsdPerMTok = 1_000_000
const picosPerUsd = 1_000_000_000_000

/** Converts a price to USD. Rates that a price has by default, such as that of a cache without a discount, are included. */
export function usdFromPrice(price: Price): UsdPrice {
  const { tiers, fees } = price
  return {
    ...pricedInUsd(price),
    ...(tiers && { tiers: mapValues(tiers, tierInUsd) }),
    ...(fees && { feesUsd: mapValues(fees, (picos) => picos / picosPerUsd) }),
  }
}

function tierInUsd({ rates, longer, permille }: TierPrice): UsdTier {
  return {
    ...(rates && pricedInUsd({ rates, ...(longer && { longer }) })),
    ...(permille !== undefined && { factor: permille / 1_000 }),
  }
}

const pricedInUsd = ({ rates, longer }: { rates: Rates; longer?: readonly LongerRates[] }) => ({
  ...ratesInUsd(rates),
  ...(longer && {
    longer: longer.map((each) => ({ aboveInputTokens: each.aboveInputTokens, ...ratesInUsd(each.rates) })),
  }),
})

function ratesInUsd(rates: Rates): UsdRates {
  const { input, output, cached, written, writtenHour, audioIn, audioOut, image } = rates
  const perMTok = (picos: number) => picos / picosPerUsdPerMTok
  return {
    inputUsdPerMTok: perMTok(input),
    outputUsdPerMTok: perMTok(output),
    ...(cached !== undefined && { cacheReadUsdPerMTok: perMTok(cached) }),
    ...(written !== undefined && { cacheWriteUsdPerMTok: perMTok(written) }),
    ...(writtenHour !== undefined && { cacheWriteHourUsdPerMTok: perMTok(writtenHour) }),
    ...(audioIn !== undefined && { audioInputUsdPerMTok: perMTok(audioIn) }),
    ...(audioOut !== undefined && { audioOutputUsdPerMTok: perMTok(audioOut) }),
    ...(image !== undefined && { imageUsd: image / picosPerUsd }),
  }
}

const mapValues = <T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]))
