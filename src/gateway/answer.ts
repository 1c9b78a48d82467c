import type { ApiError } from '../errors.js'
import type { TokenUsage } from '../providers/index.js'

/** What is known of a call that reached a provider, before its caller may see the end of it. */
export interface Answer {
  outcome: 'ok' | 'blocked' | 'upstream_error' | 'aborted'
  status: number
  /** The provider's own count; null when it never said. */
  usage: TokenUsage | null
  /** What was produced, to be counted when the provider never said. Null: nothing was, and nothing is owed. */
  produced: readonly string[] | null
  upstreamModel: string | null
  firstByteMs: number | null
  commitment: string | null
  /** Lets the caller see the end. Called once the receipt is durable. */
  release(headers: Record<string, string>): void
  /** Ends the call without its end being seen: the receipt could not be made durable. */
  withhold(error: ApiError): void
}
