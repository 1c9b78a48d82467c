import type { CloudContext, ShortLivedToken } from '../../cloud/index.js'
import type { BilledError } from '../billed-errors.js'
import type { UpstreamHeaders, UpstreamRequest } from '../provider.js'

/** The address of a provider, and its options. */
export interface Site {
  base: URL
  /** The path of the base URL, without a slash at its end. */
  root: string
  /** The options that the vendor's definition lists. */
  options: Readonly<Record<string, string>>
}

/** A setting that only this vendor has. */
export interface VendorOption {
  name: string
  required: boolean
  pattern: RegExp
  /** A description for the person who configures it. */
  description: string
}

/** A request as it will be sent, for vendors that sign it. */
export interface OutgoingRequest {
  request: UpstreamRequest
  method: string
  url: URL
  headers: Readonly<Record<string, string>>
  body: Buffer
}

export interface MachineAccess extends CloudContext {
  readFile(path: string): Promise<string>
}

/** What an authorization may need besides the credential. */
export interface AuthorizeTools {
  site: Site
  /** Milliseconds since 1970. */
  now(): number
  /**
   * Returns the token for this key. Concurrent requests share one fetch, and the token is refreshed shortly before
   * it expires.
   */
  token(key: string, fetch: () => Promise<ShortLivedToken>): Promise<string>
  /** Forgets the token for this key, which was refused. Returns whether another can be had now. */
  forgetToken(key: string): boolean
  /**
   * Posts to a token endpoint, under the same address rules as the provider itself. Throws unless it answers JSON
   * with status 200.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<Record<string, unknown>>
  /** The identity and the files of this machine. Null for credentials that a tenant set, which must not use them. */
  machine: MachineAccess | null
}

/** Converts a vendor's own stream framing into server-sent events. Throws on input it cannot read. */
export interface StreamDecoder {
  contentType: string
  push(chunk: Buffer): Buffer
  /** Returns the remaining bytes; throws when the stream ended in the middle of a message. */
  end(): Buffer
}

/**
 * Everything that differs between vendors. A vendor with a known dialect needs one file like this and one line in
 * the list.
 */
export interface Vendor {
  /** The `type` in the configuration. */
  type: string
  /** `<PREFIX>_API_KEY` and `<PREFIX>_BASE_URL` configure it without a file; null when more settings are needed. */
  environmentPrefix: string | null
  /** Null when it must be configured, or `baseUrlFor` derives it from the options. */
  baseUrl: string | null
  baseUrlFor?(options: Readonly<Record<string, string>>): string
  /** The vendor whose list prices apply by default; the provider's own name when left out. */
  pricesOf?: string
  /** The dialects that it supports, unless the configuration names others. */
  dialects: readonly string[]
  /** True when its paths are its own: no other dialects can be configured for it. */
  hasOwnPaths?: boolean
  options?: readonly VendorOption[]
  /** Returns the fault in the form of a credential; null when it is valid. */
  credentialFault?(value: string, mayUseMachine: boolean): string | null
  /**
   * The field of a chat request that it honours as maximum output; by default, that of the vendor whose prices
   * apply.
   */
  outputField?: 'max_tokens' | 'max_completion_tokens'
  /** Members of a request that it accepts and ignores, although its dialect defines them as limits. */
  ignoredFields?: readonly string[]
  /** Returns the path of a request, including a query if the vendor needs one. */
  pathOf(request: UpstreamRequest, site: Site): string
  /** True when the caller's query is forwarded. */
  forwardsQuery?: boolean
  /**
   * Returns the members of the body to set (as JSON text), or to remove (null). `has` reports which members exist.
   */
  adaptBody?(request: UpstreamRequest, has: (name: string) => boolean): ReadonlyMap<string, string | null>
  /** Removes the headers that the vendor expects in another place or form. */
  adaptHeaders?(headers: Readonly<Record<string, string>>, request: UpstreamRequest): Record<string, string>
  /** Returns the headers with the credential: a key, a token, or a signature of the request. */
  authorize(
    outgoing: OutgoingRequest,
    credential: string,
    tools: AuthorizeTools,
  ): Record<string, string> | Promise<Record<string, string>>
  /** Returns null when the answer is relayed unchanged. */
  decodeStream?(request: UpstreamRequest, headers: UpstreamHeaders): StreamDecoder | null
  /**
   * A free request that needs a credential, to test one. `reached` lists statuses, besides 200 to 299, that mean it
   * was accepted.
   */
  probe(site: Site): { method: 'GET' | 'POST'; path: string; acceptedStatuses?: readonly number[] }
  /** The paths of files and batches, if it supports batches in OpenAI's form. */
  batchPaths?(site: Site): { files: string; batches: string }
  /** Statuses that mean that a credential is rejected; 401 and 403 when left out. */
  rejectionStatuses?: readonly number[]
  /** Errors that it documents as billed. A call that ends with one costs what was reserved for it. */
  billedErrors?: readonly BilledError[]
  /**
   * Headers that the caller receives besides those of all vendors. Rate limits and accounts of this service are not
   * among them.
   */
  responseHeaders: RegExp
  /** A cheap model that is likely to remain available: used in the example call that a first start prints. */
  smallModel: string | null
}
