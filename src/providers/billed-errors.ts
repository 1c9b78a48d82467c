import { asObject, type JsonObject } from '../json/index.js'
import type { Dialect, ReportedUsage } from './dialects/dialect.js'

/** An error that a vendor bills, although there is no answer. */
export interface BilledError {
  status: number
  /** What the error says, where its status alone does not tell. */
  says?: RegExp
}

/** An error that a provider answered with. */
export interface ReportedError {
  /** Null for one that was reported inside a stream. */
  status: number | null
  /** As it was received; null where it could not be read to its end. */
  text: string | null
}

/** Whether this is one of the errors that the vendor bills. One that could not be read is taken for it, if its status fits. */
export const billsError = (billed: readonly BilledError[], { status, text }: ReportedError): boolean =>
  billed.some((each) =>
    status === null
      ? text !== null && each.says?.test(text) === true
      : status === each.status && (text === null || each.says === undefined || each.says.test(text)),
  )

/** What an error says that was used, beside the error or inside it. Null where it says nothing, or that nothing was. */
export function errorUsageOf(
  dialect: Pick<Dialect, 'usageOf'>,
  body: JsonObject | null,
  request: JsonObject,
): ReportedUsage | null {
  if (body === null) return null
  const reported = [body, asObject(body.error)].map((place) => dialect.usageOf(place, request))
  return reported.find((usage) => usage !== null && saysSomething(usage)) ?? null
}

function saysSomething({ counts: { input = 0, output = 0 }, units = [] }: ReportedUsage): boolean {
  // What the request alone decides was decided for an answer, not for an error.
  if (units === 'asked') return false
  return input + output > 0 || units.some(({ count }) => count > 0)
}
