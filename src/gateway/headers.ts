import type { IncomingHttpHeaders } from 'node:http'
import type { Standing } from '../admission/index.js'

/** Headers of the caller that mean something to a provider. All others, its key first of all, stay here. */
const forwarded = ['accept', 'anthropic-version', 'anthropic-beta', 'openai-beta', 'idempotency-key']

export function upstreamHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const name of forwarded) {
    const value = headers[name]
    if (typeof value === 'string') picked[name] = value
  }
  return picked
}

/** Headers of the provider that mean something to a caller. Its rate limits and its account are not the caller's. */
const passed =
  /^(content-(type|encoding)|retry-after(-ms)?|x-should-retry|(x-)?request-id|openai-(?!organization|project).+|anthropic-(?!ratelimit|organization).+)$/
// Anything else cannot be written again: the server would throw in the middle of an answer.
const writable = /^[\t\x20-\x7e]*$/

export function passHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && passed.test(name) && writable.test(value)) picked[name] = value
  }
  return picked
}

/** OpenAI's names for what is left of this minute. */
export function rateLimitHeaders(standings: readonly Standing[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { unit, limit, remaining, resetMs } of standings) {
    headers[`x-ratelimit-limit-${unit}`] = String(limit)
    headers[`x-ratelimit-remaining-${unit}`] = String(remaining)
    headers[`x-ratelimit-reset-${unit}`] = resetMs < 1_000 ? `${resetMs}ms` : `${resetMs / 1_000}s`
  }
  return headers
}

/** What a call cost, as the exact decimal: 1 micro-dollar is 0.000001. */
export function formatUsd(micros: number): string {
  const whole = Math.floor(micros / 1_000_000)
  const fraction = String(micros % 1_000_000)
    .padStart(6, '0')
    .replace(/0+$/, '')
  return fraction === '' ? String(whole) : `${whole}.${fraction}`
}
