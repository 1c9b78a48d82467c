import type { UpstreamRequest } from '../transport.js'

/** All that differs from one vendor to the next. A vendor with a known dialect is one file like this and one line in the table. */
export interface Vendor {
  /** As `type` in the configuration. */
  type: string
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure it without a file. */
  environmentPrefix: string
  baseUrl: string
  /** The dialects that it answers, unless the configuration names others. */
  dialects: readonly string[]
  /** Where a request goes. `root` is the path of the base URL, without a slash at its end. */
  pathOf(request: UpstreamRequest, root: string): string
  /** The headers that prove who calls: a key, or a signature over the request. */
  authorize(request: UpstreamRequest, url: URL, apiKey: string): Record<string, string>
  /** The caller's headers that it gets, beside those that all vendors get and those of the dialect. */
  requestHeaders: readonly string[]
  /** Its headers that the caller gets, beside those of all vendors. Its rate limits and accounts are not the caller's. */
  responseHeaders: RegExp
  /** Cheap, and likely to stay: for the call to try that a first start prints. */
  smallModel: string
}
