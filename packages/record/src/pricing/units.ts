import type { Counts } from './counts.js'
import type { Price } from './price.js'

/** So much of what is not paid by tokens: images, characters, seconds, searches. */
export interface Unit {
  /** Names that a price may have a fee under, the most exact one first. All begin with the same word. */
  names: readonly [string, ...string[]]
  count: number
}

/**
 * What of these units the price has fees for, as uses of these fees. Where it has one for another sort of the same thing alone, such
 * as an image of another size, the use is named all the same: it then costs as much as the dearest. A price without any fee of that
 * word pays by tokens.
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

/** Whether a price has a fee for some sort of this. */
export const paysFor = ({ fees = {} }: Price, word: string): boolean => hasFeeFor(fees, word)

const hasFeeFor = (fees: NonNullable<Price['fees']>, word: string): boolean =>
  Object.keys(fees).some((fee) => wordOf(fee) === word)

const wordOf = (name: string): string => name.split('.', 1)[0] ?? name

/** Whether nothing costs anything at this price. */
export const isFree = ({ rates, longer = [], tiers = {}, fees = {} }: Price): boolean =>
  longer.length === 0 &&
  Object.keys(tiers).length === 0 &&
  [...Object.values(rates), ...Object.values(fees)].every((each) => each === 0)
