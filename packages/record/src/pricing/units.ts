import type { Counts } from './counts.js'
import type { Price } from './price.js'

/** An amount of something that is not priced by tokens, such as images, characters, seconds or searches. */
export interface Unit {
  /** The names under which a price may have a fee, the most specific one first. All begin with the same word. */
  names: readonly [string, ...string[]]
  count: number
}

/**
 * Returns the uses of the price's fees for these units. When the price has a fee only for another variant, such as an image of another
 * size, the use is still returned, and costs as much as the most expensive fee. A price without any fee for the word charges tokens.
 */
export function usesOfUnits({ fees = {} }: Price, units: readonly Unit[]): NonNullable<Counts['tools']> {
  const uses: Record<string, number> = {}
  for (const { names, count } of units) {
    if (!hasFeeFor(fees, wordOf(names[0]))) continue
    const name = names.find((each) => Object.hasOwn(fees, each)) ?? names[0]
    uses[name] = (uses[name] ?? 0) + count
  }
  return uses
}

/** Returns whether a price has a fee whose name begins with this word. */
export const paysFor = ({ fees = {} }: Price, word: string): boolean => hasFeeFor(fees, word)

const hasFeeFor = (fees: NonNullable<Price['fees']>, word: string): boolean =>
  Object.keys(fees).some((fee) => wordOf(fee) === word)

const wordOf = (name: string): string => name.split('.', 1)[0] ?? name

/** Returns whether everything is free at this price. */
export const isFree = ({ rates, longer = [], tiers = {}, fees = {} }: Price): boolean =>
  longer.length === 0 &&
  Object.keys(tiers).length === 0 &&
  [...Object.values(rates), ...Object.values(fees)].every((each) => each === 0)
