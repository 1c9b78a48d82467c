import type { BilledError } from '../billed-errors.js'
import type { UpstreamHeaders, UpstreamRequest } from '../transport.js'

/** Where a provider of some vendor is reached, and how. */
export interface Site {
  base: URL
  /** The path of the base URL, without a slash at its end. */
  root: string
  /** What the vendor's table of options names. */
  options: Readonly<Record<string, string>>
}

/** A setting that this vendor alone has. */
export interface VendorOption {
  name: string
  required: boolean
  pattern: RegExp
  /** For whoever sets it. */
  description: string
}

/** A request as it will be sent: for vendors that sign it. */
export interface OutgoingRequest {
  request: UpstreamRequest
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export interface ShortLivedToken {
  value: string
  expiresAtMs: number
}

/** What an authorization may need beside the credential. */
export interface AuthorizeTools {
  site: Site
  /** Milliseconds since 1970. */
  now(): number
  /** The token of this key: fetched once for all who ask at the same time, and again shortly before it ends. */
  token(key: string, fetch: () => Promise<ShortLivedToken>): Promise<string>
  /** Asks a token endpoint, by the same rules for addresses as the provider itself. Throws unless it answers JSON with status 200. */
  post(url: string, headers: Record<string, string>, body: string): Promise<Record<string, unknown>>
  /** Null where files of this machine are not to be read: for what a tenant set. */
  readFile: ((path: string) => Promise<string>) | null
}

/** Turns a stream of the vendor's own framing into server-sent events. Throws on what it cannot read. */
export interface StreamDecoder {
  contentType: string
  push(chunk: Buffer): Buffer
  /** What is left; throws when the stream ended in the middle of something. */
  end(): Buffer
}

/** All that differs from one vendor to the next. A vendor with a known dialect is one file like this and one line in the table. */
export interface Vendor {
  /** As `type` in the configuration. */
  type: string
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure it without a file; null where that is not enough. */
  environmentPrefix: string | null
  /** Null: it must be given, or `baseUrlFor` makes it from the options. */
  baseUrl: string | null
  baseUrlFor?(options: Readonly<Record<string, string>>): string
  /** Whose list prices apply, where nothing else is set; the provider's own name when left out. */
  pricesOf?: string
  /** The dialects that it answers, unless the configuration names others. */
  dialects: readonly string[]
  /** What it answers is at paths of its own: no other dialects can be named for it. */
  hasOwnPaths?: boolean
  options?: readonly VendorOption[]
  /** What is wrong with the form of a credential; null when nothing is. */
  credentialFault?(value: string, mayReadFiles: boolean): string | null
  /** The field of a chat request that it honours as maximum output; when left out, whose prices apply tells. */
  outputField?: 'max_tokens' | 'max_completion_tokens'
  /** Members of a request that it accepts and ignores, though its dialect has them as limits. */
  ignoredFields?: readonly string[]
  /** Where a request goes, with a query of its own if need be. */
  pathOf(request: UpstreamRequest, site: Site): string
  /** Whether the caller's query goes along. */
  takesQuery?: boolean
  /** Members of the body to set (JSON text) or, for null, to leave out. `has` tells which members there are. */
  adaptBody?(request: UpstreamRequest, has: (name: string) => boolean): ReadonlyMap<string, string | null>
  /** Without those headers that it takes in another place or form. */
  adaptHeaders?(headers: Readonly<Record<string, string>>, request: UpstreamRequest): Record<string, string>
  /** The headers that prove who calls: a key, a token, or a signature over the request. */
  authorize(
    outgoing: OutgoingRequest,
    credential: string,
    tools: AuthorizeTools,
  ): Record<string, string> | Promise<Record<string, string>>
  /** Null: the answer is relayed as it comes. */
  decodeStream?(request: UpstreamRequest, headers: UpstreamHeaders): StreamDecoder | null
  /**
   * What costs nothing and needs a credential: to try one. `reached` are statuses that tell that it was accepted, beside 200 to
   * 299.
   */
  probe(site: Site): { method: 'GET' | 'POST'; path: string; reached?: readonly number[] }
  /** Where its files and its batches are, if it takes batches as OpenAI does. */
  batchPaths?(site: Site): { files: string; batches: string }
  /** Statuses that say that a credential is refused; 401 and 403 when left out. */
  refusals?: readonly number[]
  /** Errors that it bills, as it documents them. A call that ends with one costs what was reserved for it. */
  billedErrors?: readonly BilledError[]
  /** Its headers that the caller gets, beside those of all vendors. Its rate limits and accounts are not the caller's. */
  responseHeaders: RegExp
  /** Cheap, and likely to stay: for the call to try that a first start prints. */
  smallModel: string | null
}
