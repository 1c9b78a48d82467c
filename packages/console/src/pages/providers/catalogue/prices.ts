import { formatUsd } from '../../../format'
import type { CatalogueModel } from '../use-providers'

type Price = CatalogueModel['price']

/** The rates of a price, as the API names them. */
export const rates = [
  { field: 'inputUsdPerMTok', name: 'Input' },
  { field: 'outputUsdPerMTok', name: 'Output' },
  { field: 'cacheReadUsdPerMTok', name: 'Cache read' },
  { field: 'cacheWriteUsdPerMTok', name: 'Cache write' },
  { field: 'cacheWriteHourUsdPerMTok', name: 'Cache write, 1 hour' },
  { field: 'audioInputUsdPerMTok', name: 'Audio input' },
  { field: 'audioOutputUsdPerMTok', name: 'Audio output' },
] as const
export type RateField = (typeof rates)[number]['field']

/** The price of a million tokens; null if the price has no such rate. */
export function rateOf(price: Price, field: string): number | null {
  const value = price?.[field]
  return typeof value === 'number' ? value : null
}

export const formatRate = (usd: number | null) => (usd === null ? '–' : formatUsd(usd))

/** The parts of a price that are not rates of the default tier: fees, tiers, rates by input length. */
export function otherPriceParts(price: Price): { name: string; text: string }[] {
  const image = rateOf(price, 'imageUsd')
  return [
    ...(image === null ? [] : [{ name: 'Per image', text: formatUsd(image) }]),
    ...entriesOf(price?.feesUsd).map(([name, usd]) => ({
      name: `Per ${name.replaceAll('_', ' ').replaceAll('.', ', ')}`,
      text: asNumber(usd) === 0 ? 'free' : formatRate(asNumber(usd)),
    })),
    ...(Array.isArray(price?.longer) ? price.longer : []).map((step: unknown) => {
      const terms = new Map(entriesOf(step))
      return {
        name: `Above ${asNumber(terms.get('aboveInputTokens'))?.toLocaleString('en-US') ?? '?'} tokens`,
        text: inAndOut(terms),
      }
    }),
    ...entriesOf(price?.tiers).map(([name, tier]) => {
      const terms = new Map(entriesOf(tier))
      const factor = asNumber(terms.get('factor'))
      return {
        name: `Tier ${name}`,
        text: [terms.has('inputUsdPerMTok') ? inAndOut(terms) : null, factor && `× ${factor}`]
          .filter(Boolean)
          .join(', '),
      }
    }),
  ]
}

const inAndOut = (terms: ReadonlyMap<string, unknown>) =>
  `${formatRate(asNumber(terms.get('inputUsdPerMTok')))} in, ${formatRate(asNumber(terms.get('outputUsdPerMTok')))} out`

const asNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null)
export const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []

export const sourceNames: Record<CatalogueModel['source'], string> = {
  catalogue: 'list price',
  file: 'the operator’s price file',
  config: 'the operator’s file',
  tenant: 'your own',
}
