import type { LimitStatus } from '../../../limits/index.js'

/** Returns the rate limit headers, under the names that client libraries read. */
export function rateLimitHeaders(limitStatuses: readonly LimitStatus[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { unit, limit, remaining, resetMs } of limitStatuses) {
    headers[`x-ratelimit-limit-${unit}`] = String(limit)
    headers[`x-ratelimit-remaining-${unit}`] = String(remaining)
    headers[`x-ratelimit-reset-${unit}`] = resetMs < 1_000 ? `${resetMs}ms` : `${resetMs / 1_000}s`
  }
  return headers
}

/** Formats nano-dollars as an exact decimal: 1 is 0.000000001. */
export function formatUsd(nanos: number): string {
  const whole = Math.floor(nanos / 1_000_000_000)
  const fraction = String(nanos % 1_000_000_000)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}

/** Returns the headers with the cost of a call and, once it is known, the number of its receipt. */
export const receiptHeaders = (costNanos: number, seq: number | null): Record<string, string> => ({
  'x-tallystick-cost-usd': formatUsd(costNanos),
  ...(seq !== null && { 'x-tallystick-receipt': String(seq) }),
})
