import { Type } from 'typebox'
import { invalidField } from '../errors.js'

const microsPerUsd = 1_000_000
const maxUsd = 1_000_000_000

/** Money on the wire: a USD number with at most six decimal places. */
export const Usd = (description: string, options: { minimum?: number } = {}) =>
  Type.Number({ minimum: 0, maximum: maxUsd, description, ...options })

/** Whole micro-dollars; an amount finer than that is refused rather than rounded. */
export function toMicros(usd: number, path: string): number {
  const micros = Math.round(usd * microsPerUsd)
  // A double holds six decimals of a billion dollars exactly enough: the nearest one reads back as the same number.
  if (micros / microsPerUsd !== usd) throw invalidField(path, 'has more than six decimal places')
  return micros
}

export const toUsd = (micros: number): number => micros / microsPerUsd
