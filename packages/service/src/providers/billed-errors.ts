import { asObject, type JsonObject } from '@tallystick/record/json'
import type { Endpoint, ReportedUsage } from './endpoints/endpoint.js'

/** An error that a vendor bills although it delivers no answer. */
export interface BilledError {
  status: number
  /** Matches the error text, for errors that their status alone does not identify. */
  pattern?: RegExp
}

/** An error that a provider returned. */
export interface ReportedError {
  /** Null for an error that was reported inside a stream. */
  status: number | null
  /** The text as it was received; null when it could not be read completely. */
  text: string | null
}

/**
 * True when the vendor bills this error. An error whose text could not be read counts as billed if its status
 * matches.
 */
export const billsError = (billed: readonly BilledError[], { status, text }: ReportedError): boolean =>
  billed.some((each) =>
    status === null
      ? text !== null && each.pattern?.test(text) === true
      : status === each.status && (text === null || each.pattern === undefined || each.pattern.test(text)),
  )

/** Returns the usage that an error reports, beside the error or inside it. Null when it reports none, or zero. */
export function errorUsageOf(
  dialect: Pick<Endpoint, 'usageOf'>,
  body: JsonObject | null,
  request: JsonObject,
): ReportedUsage | null {
  if (body === null) return null
  const reported = [body, asObject(body.error)].map((object) => dialect.usageOf(object, request))
  return reported.find((usage) => usage !== null && isNonZero(usage)) ?? null
}

function isNonZero({ counts: { input = 0, output = 0 }, units = [] }: ReportedUsage): boolean {
  // Usage that follows from the request alone was computed for an answer, not for an error.
  if (units === 'as reserved') return false
  return input + output > 0 || units.some(({ count }) => count > 0)
}
