import { Type } from 'typebox'
import { ApiError, invalidField } from '../shared/errors.js'

const nanosPerUsd = 1_000_000_000
const nanosPerMicro = 1_000
/** Nine million dollars in nano-dollars are just below 2^53: every amount up to it is exact as a number. */
const maxUsd = 9_000_000
const maxNanos = maxUsd * nanosPerUsd

/** Money in the API: a USD number with at most six decimal places. */
export const Usd = (description: string) => Type.Number({ minimum: 0, maximum: maxUsd, description })

export const UsdAboveZero = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, maximum: maxUsd, description })

/**
 * Converts an amount that a person sets into whole nano-dollars: an amount finer than a micro-dollar is refused
 * rather than rounded.
 */
export function toNanos(usd: number, path: string): number {
  const micros = Math.round(usd * (nanosPerUsd / nanosPerMicro))
  // A double is precise enough for six decimals of nine million dollars: the nearest one reads back as the same
  // number.
  if (micros / (nanosPerUsd / nanosPerMicro) !== usd)
    throw invalidField(path, 'has more than six decimal places')
  return micros * nanosPerMicro
}

/**
 * Converts a cost into whole nano-dollars: it may be finer than what people set, since it follows from a vendor's
 * bill.
 */
export function costToNanos(usd: number, path: string): number {
  const nanos = Math.round(usd * nanosPerUsd)
  if (nanos / nanosPerUsd !== usd) throw invalidField(path, 'has more than nine decimal places')
  return nanos
}

export const toUsd = (nanos: number): number => nanos / nanosPerUsd

/** Checks that the sum of several amounts is exact too. */
export function requireAmount(totalNanos: number, what: string): void {
  if (totalNanos <= maxNanos) return
  const message = `${what} would be $${toUsd(totalNanos)} in total; the maximum is $${maxUsd}`
  throw new ApiError('conflict', message)
}
