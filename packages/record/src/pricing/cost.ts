import {
  type CompiledPrice,
  type CompiledRates,
  compilePrice,
  ratesForInput,
  toCount,
  toExactNanos,
  toNanos,
  toSafeNumber,
} from './compiled-price.js'
import type { Counts } from './counts.js'
import type { Price, Rates } from './price.js'
import { min, tierNames, toBigInt } from './rates.js'

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
  const compiled = compilePrice(price)
  const schedules = compiled.schedulesOf(tier)
  const fees = feePicos(compiled, counts.tools)
  let highest = 0
  for (const schedule of schedules) {
    const nanos = toNanos(tokenPicos(ratesForInput(schedule, counts), counts), schedule, fees)
    if (Number.isNaN(nanos)) return exactCostNanos(compiled, counts, tier)
    if (nanos > highest) highest = nanos
  }
  return highest
}

/** The same with BigInts, for amounts that do not fit into a number. */
export function exactCostNanos(compiled: CompiledPrice, counts: Counts, tier: string | null): number {
  const fees = exactFeePicos(compiled, counts.tools)
  let highest = 0n
  for (const schedule of compiled.schedulesOf(tier)) {
    const parts = countTokens(ratesForInput(schedule, counts), counts)
    const nanos = toExactNanos(sumPicos(parts), schedule, fees)
    if (nanos > highest) highest = nanos
  }
  return toSafeNumber(highest)
}

/** Returns the fees of hosted tools. Not exact when it is not a safe integer. */
export function feePicos(price: CompiledPrice, tools: Counts['tools']): number {
  let sum = 0
  for (const tool in tools)
    if (Object.hasOwn(tools, tool)) sum += toCount(tools[tool]) * price.feeOf(tool).fast
  return sum
}

export const exactFeePicos = (price: CompiledPrice, tools: Counts['tools'] = {}): bigint =>
  Object.entries(tools).reduce((sum, [tool, uses]) => sum + toBigInt(uses) * price.feeOf(tool).exact, 0n)

/** Returns the price of all tokens and images. Not exact when it is not a safe integer. */
function tokenPicos({ fast, inputKinds }: CompiledRates, counts: Counts): number {
  const written = toCount(counts.written)
  const writtenHour = Math.min(toCount(counts.writtenHour), written)
  let picos = 0
  let inputLeft = toCount(counts.input)
  for (const kind of inputKinds) {
    const declared =
      kind === 'written'
        ? written - writtenHour
        : kind === 'writtenHour'
          ? writtenHour
          : toCount(counts[kind])
    const count = Math.min(declared, inputLeft)
    inputLeft -= count
    picos += count * fast[kind]
  }
  const output = toCount(counts.output)
  const audioOut = Math.min(toCount(counts.audioOut), output)
  return (
    picos +
    inputLeft * fast.input +
    (output - audioOut) * fast.output +
    audioOut * fast.audioOut +
    toCount(counts.images) * fast.image
  )
}

/** A count of one kind, with its rate in picodollars. */
interface PricedCount {
  kind: string
  count: bigint
  rate: bigint
}

const sumPicos = (parts: readonly PricedCount[]): bigint =>
  parts.reduce((sum, { count, rate }) => sum + count * rate, 0n)

function countTokens({ exact, inputKinds }: CompiledRates, counts: Counts): PricedCount[] {
  const written = toBigInt(counts.written)
  const writtenHour = min(toBigInt(counts.writtenHour), written)
  const kinds = {
    written: written - writtenHour,
    writtenHour,
    cached: toBigInt(counts.cached),
    audioIn: toBigInt(counts.audioIn),
  }
  return [
    ...splitTotal(
      { kind: 'input', count: toBigInt(counts.input), rate: exact.input },
      inputKinds.map((kind) => ({ kind, count: kinds[kind], rate: exact[kind] })),
    ),
    ...splitTotal({ kind: 'output', count: toBigInt(counts.output), rate: exact.output }, [
      { kind: 'audioOut', count: toBigInt(counts.audioOut), rate: exact.audioOut },
    ]),
    { kind: 'images', count: toBigInt(counts.images), rate: exact.image },
  ]
}

/** Splits a total into kinds with their own rates. When the kinds exceed the total, the first are counted, which are the most expensive. */
function splitTotal(total: PricedCount, parts: readonly PricedCount[]): PricedCount[] {
  let rest = total.count
  const taken = parts.map((part) => {
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

/** A line of a bill without rounding: `count × rate × factor / scale` picodollars. */
export interface ExactCostLine {
  kind: string
  count: bigint
  rate: bigint
  factor: bigint
  /** A power of 1,000. */
  scale: bigint
}

/** Returns the lines that a cost consists of. Each token is in one line only. The sum, rounded up to the nano-dollar, is the cost. */
export function exactCostLines(price: Price, counts: Counts, tier: string | null): ExactCostLine[] {
  const compiled = compilePrice(price)
  const fees = exactFeePicos(compiled, counts.tools)
  let highest: { nanos: bigint; parts: PricedCount[]; factor: bigint; scale: bigint } | null = null
  for (const schedule of compiled.schedulesOf(tier)) {
    const parts = countTokens(ratesForInput(schedule, counts), counts)
    const nanos = toExactNanos(sumPicos(parts), schedule, fees)
    if (highest !== null && nanos <= highest.nanos) continue
    highest = { nanos, parts, factor: schedule.factor.exact, scale: schedule.scale.exact }
  }
  const { parts = [], factor = 1n, scale = 1n } = highest ?? {}
  const tools = Object.entries(counts.tools ?? {}).map(([tool, uses]) => {
    return { kind: `tools.${tool}`, count: toBigInt(uses), rate: compiled.feeOf(tool).exact }
  })
  return [
    ...parts.map((part) => ({ ...part, factor, scale })),
    ...tools.map((part) => ({ ...part, factor: 1n, scale: 1n })),
  ].filter(({ count }) => count > 0n)
}

/** The same as numbers, for people to read. */
export const costLines = (price: Price, counts: Counts, tier: string | null): CostLine[] =>
  exactCostLines(price, counts, tier).map(({ kind, count, rate, factor, scale }) => {
    const picosEach = Number(rate) * (Number(factor) / Number(scale))
    return { kind, count: Number(count), picosEach, picos: Number(count) * picosEach }
  })

const kinds = ['cached', 'written', 'writtenHour', 'audioIn', 'audioOut'] as const

/** Returns the kinds, tools and tiers that the price does not name, so that the most expensive price was used for them. */
export function unpricedKinds(price: Price, counts: Counts, tier: string | null): string[] {
  const applied = compilePrice(price)
    .schedulesOf(tier)
    .map((schedule) => ratesForInput(schedule, counts).named)
  const isMissing = (kind: keyof Rates) => applied.some((rates) => rates[kind] === undefined)
  const unpriced: string[] = kinds.filter((kind) => toCount(counts[kind]) > 0 && isMissing(kind))
  if (toCount(counts.images) > 0 && isMissing('image')) unpriced.push('images')
  for (const [tool, uses] of Object.entries(counts.tools ?? {}))
    if (toCount(uses) > 0 && !Object.hasOwn(price.fees ?? {}, tool)) unpriced.push(`tools.${tool}`)
  for (const name of tierNames(tier))
    if (!Object.hasOwn(price.tiers ?? {}, name)) unpriced.push(`tier.${name}`)
  return unpriced
}
