import { hasVirtualKey } from '../../shared/tags.js'
import type { UpstreamHeaders, UpstreamRequest } from '../provider.js'
import type { Vendor } from '../vendors/index.js'
import { isOpenHeader } from './open-headers.js'

/**
 * Returns the headers that have a meaning for providers. All others, in particular the caller's key, are not
 * forwarded.
 */
export function pickRequestHeaders(
  headers: UpstreamHeaders,
  { contextWindow }: Pick<UpstreamRequest, 'contextWindow'>,
): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (name !== 'accept' && !isOpenHeader(name)) continue
    // A virtual key is never forwarded, in whichever header a client sends it.
    const isPassed = typeof value === 'string' && !hasVirtualKey(value)
    const kept = isPassed ? withinWindow(value, contextWindow) : ''
    if (kept !== '') picked[name] = kept
  }
  return picked
}

// `context-1m-2025-08-07` enables a context window of a million tokens.
const widerWindow = /^\s*context-(\d{1,3})m-/

/** Removes a flag that extends the context window beyond the one that was reserved for. */
function withinWindow(value: string, contextWindow: number | null): string {
  if (contextWindow === null || !value.includes('context-')) return value
  const isWithin = (flag: string) => Number(widerWindow.exec(flag)?.[1] ?? 0) * 1_000_000 <= contextWindow
  return value.split(',').filter(isWithin).join(',')
}

const sharedResponseHeaders = /^(content-(type|encoding)|retry-after(-ms)?|x-should-retry|(x-)?request-id)$/
// Other characters cannot be sent: the server would throw in the middle of an answer.
const writable = /^[\t\x20-\x7e]*$/

export function pickResponseHeaders(
  headers: UpstreamHeaders,
  { responseHeaders }: Vendor,
): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isPassed = sharedResponseHeaders.test(name) || responseHeaders.test(name)
    if (isPassed && typeof value === 'string' && writable.test(value)) picked[name] = value
  }
  return picked
}
