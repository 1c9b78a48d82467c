import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'
import {
  type FullRates,
  feeOf,
  fullRates,
  max,
  min,
  ratesForInput,
  schedulesOf,
  tierNames,
  toBigInt,
  toNanos,
  toSafeNumber,
} from './rates.js'

/**
 * Returns the cost of a call in whole nano-dollars. It is summed exactly in picodollars and rounded up once, so a call that is not free
 * never costs zero, and the record is never below the vendor's bill.
 *
 * `tier` is null for the vendor's standard tier. Several tiers are joined by `+`.
 *
 * What the price does not name has the most expensive price that it does name: a kind of token has the highest rate of its direction, a
 * tool has the highest fee, and a tier counts as the one that makes the call most expensive.
 */
export function costNanos(price: Price, counts: Counts, tier: string | null): number {
  const fees = feePicos(price, counts.tools)
  const costs = schedulesOf(price, tier).map((schedule) => {
    const rates = ratesForInput(schedule, toBigInt(counts.input))
    return toNanos(tokenPicos(fullRates(rates), counts), schedule, fees)
  })
  return toSafeNumber(max(...costs))
}

export function feePicos(price: Price, tools: Counts['tools'] = {}): bigint {
  return Object.entries(tools).reduce((sum, [tool, uses]) => sum + toBigInt(uses) * feeOf(price, tool), 0n)
}

/** A count of one kind, with its rate in picodollars. */
interface PricedCount {
  kind: string
  count: bigint
  rate: bigint
}

const tokenPicos = (rates: FullRates, counts: Counts): bigint =>
  tokenCounts(rates, counts).reduce((sum, { count, rate }) => sum + count * rate, 0n)

function tokenCounts(rates: FullRates, counts: Counts): PricedCount[] {
  const written = toBigInt(counts.written)
  const writtenHour = min(toBigInt(counts.writtenHour), written)
  return [
    ...splitTotal({ kind: 'input', count: toBigInt(counts.input), rate: rates.input }, [
      { kind: 'written', count: written - writtenHour, rate: rates.written },
      { kind: 'writtenHour', count: writtenHour, rate: rates.writtenHour },
      { kind: 'cached', count: toBigInt(counts.cached), rate: rates.cached },
      { kind: 'audioIn', count: toBigInt(counts.audioIn), rate: rates.audioIn },
    ]),
    ...splitTotal({ kind: 'output', count: toBigInt(counts.output), rate: rates.output }, [
      { kind: 'audioOut', count: toBigInt(counts.audioOut), rate: rates.audioOut },
    ]),
    { kind: 'images', count: toBigInt(counts.images), rate: rates.image },
  ]
}

/** Splits a total into kinds with their own rates. When the kinds exceed the total, the most expensive ones are counted first. */
function splitTotal(total: PricedCount, parts: PricedCount[]): PricedCount[] {
  let rest = total.count
  const taken = parts
    .sort((a, b) => (a.rate < b.rate ? 1 : a.rate > b.rate ? -1 : 0))
    .map((part) => {
      const count = min(part.count, rest)
      rest -= count
      return { ...part, count }
    })
  return [{ ...total, count: rest }, ...taken]
}

/** One line of a bill. */
export interface CostLine {
  /** A kind of tokens, `images`, or `tools.<name>`. */
  kind: string
  count: number
  /** The price of one token, image or use in picodollars, including the factor of the tier. */
  picosEach: number
  picos: number
}

/** Returns the lines that a cost consists of. Each token is in one line only. The sum, rounded up to the nano-dollar, is the cost. */
export function costLines(price: Price, counts: Counts, tier: string | null): CostLine[] {
  const fees = feePicos(price, counts.tools)
  let highest: { nanos: bigint; parts: PricedCount[]; factor: number } | null = null
  for (const schedule of schedulesOf(price, tier)) {
    const rates = fullRates(ratesForInput(schedule, toBigInt(counts.input)))
    const nanos = toNanos(tokenPicos(rates, counts), schedule, fees)
    if (highest !== null && nanos <= highest.nanos) continue
    const factor = Number(schedule.factor) / Number(schedule.scale)
    highest = { nanos, parts: tokenCounts(rates, counts), factor }
  }
  const { parts = [], factor = 1 } = highest ?? {}
  const tools = Object.entries(counts.tools ?? {}).map(([tool, uses]) => {
    return { kind: `tools.${tool}`, count: toBigInt(uses), rate: feeOf(price, tool) }
  })
  return [...parts.map((part) => toLine(part, factor)), ...tools.map((part) => toLine(part, 1))].filter(
    ({ count }) => count > 0,
  )
}

function toLine({ kind, count, rate }: PricedCount, factor: number): CostLine {
  const picosEach = Number(rate) * factor
  return { kind, count: Number(count), picosEach, picos: Number(count) * picosEach }
}

const kinds = ['cached', 'written', 'writtenHour', 'audioIn', 'audioOut'] as const

/** Returns the kinds, tools and tiers that the price does not name, so that the most expensive price was used for them. */
export function unpricedKinds(price: Price, counts: Counts, tier: string | null): string[] {
  const applied = schedulesOf(price, tier).map((schedule) => ratesForInput(schedule, toBigInt(counts.input)))
  const isMissing = (kind: keyof Rates) => applied.some((rates) => rates[kind] === undefined)
  const tools = Object.entries(counts.tools ?? {}).filter(([, uses]) => toBigInt(uses) > 0n)
  return [
    ...kinds.filter((kind) => toBigInt(counts[kind]) > 0n && isMissing(kind)),
    ...(toBigInt(counts.images) > 0n && isMissing('image') ? ['images'] : []),
    ...tools.flatMap(([tool]) => (Object.hasOwn(price.fees ?? {}, tool) ? [] : `tools.${tool}`)),
    ...tierNames(tier).flatMap((name) => (Object.hasOwn(price.tiers ?? {}, name) ? [] : `tier.${name}`)),
  ]
}
