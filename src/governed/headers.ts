import type { Standing } from '../admission/index.js'

/** What is left of this minute, by the names that client libraries read. */
export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { unit, limit, remaining, resetMs } of standings) {
    headers[`x-ratelimit-limit-${unit}`] = String(limit)
    headers[`x-ratelimit-remaining-${unit}`] = String(remaining)
    headers[`x-ratelimit-reset-${unit}`] = resetMs < 1_000 ? `${resetMs}ms` : `${resetMs / 1_000}s`
  }
  return headers
}

/** What a call cost, as the exact decimal: 1 nano-dollar is 0.000000001. */
export function formatUsd(nanos: number): string {
  const whole = Math.floor(nanos / 1_000_000_000)
  const fraction = String(nanos % 1_000_000_000)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}
