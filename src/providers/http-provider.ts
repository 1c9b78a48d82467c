import { createHttpTransport, type UpstreamTimeouts } from './http-transport.js'
import type { Provider, UpstreamHeaders, UpstreamRequest } from './transport.js'
import { type Vendor, vendors } from './vendors/index.js'

export interface HttpProviderSettings {
  name: string
  type: string
  baseUrl: string
  apiKey: string | null
  dialects: readonly string[]
  pricesOf: string
  timeouts: UpstreamTimeouts
}

/** A provider that speaks HTTP: a vendor of the table, or a server that is compatible with one. */
export function createHttpProvider(settings: HttpProviderSettings): Provider {
  const { name, apiKey, pricesOf } = settings
  const vendor = vendors.get(settings.type)
  if (!vendor) throw new Error(`There is no provider of type ${settings.type}`)
  const base = new URL(settings.baseUrl)
  const root = base.pathname.replace(/\/$/, '')
  return {
    name,
    dialects: settings.dialects,
    pricesOf,
    server: { address: base.hostname, port: Number(base.port || (base.protocol === 'https:' ? 443 : 80)) },
    hangUpGraceMs: settings.timeouts.hangUpGraceMs,
    pickHeaders: (headers, request) => pickRequestHeaders(headers, request, vendor),
    transport: createHttpTransport({
      provider: name,
      origin: base.origin,
      timeouts: settings.timeouts,
      pathFor: (request) => withQuery(vendor.pathOf(request, root), base.search),
      headersFor: (request, path) => ({
        ...request.dialect.defaultHeaders,
        ...request.headers,
        ...(apiKey !== null && vendor.authorize(request, new URL(path, base), apiKey)),
      }),
      passHeaders: (headers) => pickResponseHeaders(headers, vendor),
    }),
  }
}

/** The query of the base URL goes with every call: some servers want their version there. */
function withQuery(path: string, search: string): string {
  if (search === '') return path
  return path.includes('?') ? `${path}&${search.slice(1)}` : path + search
}

const sharedRequestHeaders = ['accept', 'idempotency-key']

/** Headers that mean something to the provider. All others, the caller's key first of all, stay here. */
function pickRequestHeaders(
  headers: UpstreamHeaders,
  { dialect, contextWindow }: Pick<UpstreamRequest, 'dialect' | 'contextWindow'>,
  vendor: Vendor,
): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const names of [sharedRequestHeaders, vendor.requestHeaders, dialect.requestHeaders]) {
    for (const name of names) {
      const value = headers[name]
      const kept = typeof value === 'string' ? withinWindow(value, contextWindow) : ''
      if (kept !== '') picked[name] = kept
    }
  }
  return picked
}

// `context-1m-2025-08-07` opens a window of a million tokens.
const widerWindow = /^\s*context-(\d{1,3})m-/

/** A flag that makes the window wider than the one that bounds what is reserved is left out. */
function withinWindow(value: string, contextWindow: number | null): string {
  if (contextWindow === null || !value.includes('context-')) return value
  const isWithin = (flag: string) => Number(widerWindow.exec(flag)?.[1] ?? 0) * 1_000_000 <= contextWindow
  return value.split(',').filter(isWithin).join(',')
}

const sharedResponseHeaders = /^(content-(type|encoding)|retry-after(-ms)?|x-should-retry|(x-)?request-id)$/
// Other characters cannot be written again: the server would throw in the middle of an answer.
const writable = /^[\t\x20-\x7e]*$/

function pickResponseHeaders(headers: UpstreamHeaders, { responseHeaders }: Vendor): Record<string, string> {
  const picked: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    const isPassed = sharedResponseHeaders.test(name) || responseHeaders.test(name)
    if (isPassed && typeof value === 'string' && writable.test(value)) picked[name] = value
  }
  return picked
}
