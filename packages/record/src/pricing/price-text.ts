import { createHash } from 'node:crypto'
import { canonicalize, isObject } from '../json/index.js'
import type { LongerRates, Price, Rates, TierPrice } from './price.js'

/** Returns the canonical text of a price (RFC 8785), as it is in the record. */
export const canonicalPrice = (price: Price): string => canonicalize(price)

/** Returns the SHA-256 of the canonical text in hex, by which a receipt refers to its price. */
export const priceHash = (price: Price): string =>
  createHash('sha256').update(canonicalPrice(price), 'utf8').digest('hex')

/** Reads a price from untrusted JSON. Null for anything that is not exactly a price. */
export function readPrice(json: unknown): Price | null {
  return isPrice(json) ? json : null
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)

/** True also for a member that is undefined, which would be missing in the canonical text. */
const has = (value: Record<string, unknown>, name: string): boolean => Object.hasOwn(value, name)

const rateNames = ['input', 'output', 'cached', 'written', 'writtenHour', 'audioIn', 'audioOut', 'image']

function isRates(value: unknown): value is Rates {
  if (!isObject(value) || !has(value, 'input') || !has(value, 'output')) return false
  return Object.entries(value).every(([name, rate]) => rateNames.includes(name) && isAmount(rate))
}

function isLonger(value: unknown): value is LongerRates[] {
  if (!Array.isArray(value)) return false
  let previous = -1
  for (const entry of value) {
    if (!isObject(entry) || !hasOnly(entry, ['aboveInputTokens', 'rates'])) return false
    const { aboveInputTokens, rates } = entry
    if (!isAmount(aboveInputTokens) || !isRates(rates)) return false
    if (Number(aboveInputTokens) <= previous) return false
    previous = Number(aboveInputTokens)
  }
  return true
}

function isTier(value: unknown): value is TierPrice {
  if (!isObject(value) || !hasOnly(value, ['rates', 'longer', 'permille'])) return false
  if (has(value, 'longer') && !(has(value, 'rates') && isLonger(value.longer))) return false
  if (has(value, 'rates') && !isRates(value.rates)) return false
  return !has(value, 'permille') || isAmount(value.permille)
}

function isPrice(value: unknown): value is Price {
  if (!isObject(value) || !hasOnly(value, ['rates', 'longer', 'tiers', 'fees'])) return false
  if (!isRates(value.rates)) return false
  if (has(value, 'longer') && !isLonger(value.longer)) return false
  if (has(value, 'tiers') && !(isObject(value.tiers) && Object.entries(value.tiers).every(isNamedTier)))
    return false
  return !has(value, 'fees') || (isObject(value.fees) && Object.values(value.fees).every(isAmount))
}

/** Tiers are joined by `+`. */
const isNamedTier = ([name, tier]: [string, unknown]): boolean => /^[^+]+$/.test(name) && isTier(tier)

const hasOnly = (value: Record<string, unknown>, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name))
