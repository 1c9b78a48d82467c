import { Type } from 'typebox'
import { ApiError, invalidField } from '../errors.js'

const nanosPerUsd = 1_000_000_000
const nanosPerMicro = 1_000
/** Nine million dollars in nano-dollars are just below 2^53: every amount up to it is exact as a number. */
const maxUsd = 9_000_000
const maxNanos = maxUsd * nanosPerUsd

/** Money on the wire: a USD number with at most six decimal places. */
export const Usd = (description: string) => Type.Number({ minimum: 0, maximum: maxUsd, description })

export const UsdAboveZero = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: maxUsd, description })

/** Whole nano-dollars of an amount that a person sets: one finer than a micro-dollar is refused rather than rounded. */
export function toNanos(usd: number, path: string): number {
  const micros = Math.round(usd * (nanosPerUsd / nanosPerMicro))
  // A double holds six decimals of nine million dollars exactly enough: the nearest one reads back as the same number.
  if (micros / (nanosPerUsd / nanosPerMicro) !== usd)
    throw invalidField(path, 'has more than six decimal places')
  return micros * nanosPerMicro
}

/** Whole nano-dollars of a cost: finer than what people set, since it follows from a vendor's bill. */
export function costToNanos(usd: number, path: string): number {
  const nanos = Math.round(usd * nanosPerUsd)
  if (nanos / nanosPerUsd !== usd) throw invalidField(path, 'has more than nine decimal places')
  return nanos
}

export const toUsd = (nanos: number): number => nanos / nanosPerUsd

/** What an amount becomes together with others must stay exact too. */
export function requireAmount(totalNanos: number, what: string): void {
  if (totalNanos <= maxNanos) return
  const message = `${what} would be $${toUsd(totalNanos)} in all; the most is $${maxUsd}`
  throw new ApiError('conflict', message)
}
