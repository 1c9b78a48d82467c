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
  toNanos,
  toSafeNumber,
  whole,
} from './rates.js'

/**
 * What a call costs, in whole nano-dollars. Summed exactly in picodollars and rounded up once, so a call that costs anything never
 * costs nothing, and the record is never below the vendor's bill.
 *
 * `tier` is null for the vendor's standard one; several are joined by `+`.
 *
 * What the price does not name is never left out, but priced at the dearest that it does name: a kind of token at the dearest
 * rate of its direction, a tool at the dearest fee, a tier as the one that makes the call dearest.
 */
export function costNanos(price: Price, counts: Counts, tier: string | null): number {
  const fees = feePicos(price, counts.tools)
  const costs = schedulesOf(price, tier).map((schedule) => {
    const rates = ratesForInput(schedule, whole(counts.input))
    return toNanos(tokenPicos(fullRates(rates), counts), schedule, fees)
  })
  return toSafeNumber(max(...costs))
}

export function feePicos(price: Price, tools: Counts['tools'] = {}): bigint {
  return Object.entries(tools).reduce((sum, [tool, uses]) => sum + whole(uses) * feeOf(price, tool), 0n)
}

function tokenPicos(rates: FullRates, counts: Counts): bigint {
  const written = whole(counts.written)
  const writtenHour = min(whole(counts.writtenHour), written)
  const input = splitTotal(whole(counts.input), rates.input, [
    [written - writtenHour, rates.written],
    [writtenHour, rates.writtenHour],
    [whole(counts.cached), rates.cached],
    [whole(counts.audioIn), rates.audioIn],
  ])
  const output = splitTotal(whole(counts.output), rates.output, [[whole(counts.audioOut), rates.audioOut]])
  return input + output + whole(counts.images) * rates.image
}

/** Where the parts exceed the total, the total stands, and the dearest parts are believed first. */
function splitTotal(total: bigint, rate: bigint, parts: [count: bigint, rate: bigint][]): bigint {
  let rest = total
  let sum = 0n
  for (const [count, partRate] of parts.sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0))) {
    const taken = min(count, rest)
    sum += taken * partRate
    rest -= taken
  }
  return sum + rest * rate
}

const kinds = ['cached', 'written', 'writtenHour', 'audioIn', 'audioOut'] as const

/** What of these counts the price has no rate, fee or tier for, so that the dearest was taken. */
export function unpricedKinds(price: Price, counts: Counts, tier: string | null): string[] {
  const applied = schedulesOf(price, tier).map((schedule) => ratesForInput(schedule, whole(counts.input)))
  const lacks = (kind: keyof Rates) => applied.some((rates) => rates[kind] === undefined)
  const tools = Object.entries(counts.tools ?? {}).filter(([, uses]) => whole(uses) > 0n)
  return [
    ...kinds.filter((kind) => whole(counts[kind]) > 0n && lacks(kind)),
    ...(whole(counts.images) > 0n && lacks('image') ? ['images'] : []),
    ...tools.flatMap(([tool]) => (Object.hasOwn(price.fees ?? {}, tool) ? [] : `tools.${tool}`)),
    ...tierNames(tier).flatMap((name) => (Object.hasOwn(price.tiers ?? {}, name) ? [] : `tier.${name}`)),
  ]
}
