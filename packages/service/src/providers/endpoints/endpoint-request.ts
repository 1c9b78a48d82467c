import { asArray, asObject, asText, type JsonObject, maxCount, readCount } from '@tallystick/record/json'
import type { Unit } from '@tallystick/record/pricing'
import type { ModelProperties } from '../catalogue/model-properties.js'
import type { TokenCount } from '../tokenizer/token-counter.js'

/** A fault in a request, and its path. */
export interface Fault {
  path: string
  message: string
}

/** A tool that the vendor runs itself during a call. */
export interface HostedTool {
  /** The name of its fee in a price. */
  fee: string
  /** True when a call pays for it once, however often it is used. */
  perCall: boolean
  /** The number of uses that the request allows; absent when the request has no limit. */
  maxUses?: number
  /** True when no request can lower this number. */
  isFixed?: boolean
}

export interface HostedTools {
  tools: readonly HostedTool[]
  /** The number of uses that the request allows for all tools together; null when the request has no limit. */
  maxUses: number | null
}

/** A file that was sent with a request. */
export interface UploadedFile {
  /** The name of its form field. */
  field: string
  bytes: Buffer
}

export interface UsageContext {
  files: readonly UploadedFile[]
  properties: ModelProperties
  /** True when the price of the model has a fee for the endpoint's unit. */
  isPaidByUnit: boolean
  /** Returns an upper bound of the tokens in these texts. */
  countTokens(texts: readonly string[]): Promise<number>
}

/** The most that a request can use besides the tokens of its body. */
export interface AdditionalUsage {
  /** What a price may bill other than tokens. */
  units: readonly Unit[]
  inputTokens: number
  /** Audio, which is not included in the other counts. */
  audio?: TokenCount
  /** The parts of the request whose size has no bound, with their paths. */
  unbounded: readonly Fault[]
}

/** The parts of a request that limits and prices depend on. */
export interface EndpointRequest {
  /** Returns null when limits and prices can be applied to the body. */
  faultIn(body: JsonObject): Fault | null
  /** The members that can hold the maximum output; the first is the one that a request should use. */
  outputFields: readonly string[]
  /**
   * Returns the declared maximum output. When several members declare one, the largest counts, since a vendor may
   * honour any of them.
   */
  maxOutputOf(body: JsonObject): number | null
  /** Returns texts whose tokens bound the output that the vendor may bill beyond the maximum. */
  extraOutputOf(body: JsonObject): readonly string[]
  /** Returns output that the request requires, such as for thinking: the maximum must not be lowered below it. */
  minOutputOf(body: JsonObject): number
  /**
   * Returns the tiers in which the call may be served, by their names in a price: the standard tier, which is null,
   * then the requested one, then others.
   */
  tiersOf(body: JsonObject): readonly (string | null)[]
  /** Returns whether the answer may contain audio or images. */
  mediaOf(body: JsonObject): { audio: boolean; images: boolean }
  /**
   * Returns whether the vendor may produce output that the caller does not see: reasoning, or several answers of
   * which it returns the best. Null: it depends on the model.
   */
  mayReason(body: JsonObject): boolean | null
  hostedToolsOf(body: JsonObject): HostedTools
  /**
   * Returns whether the vendor may read the whole input again to summarize the conversation, and write the summary.
   */
  maySummarize(body: JsonObject): boolean
  /** True when the maximum output applies to each round after a hosted tool, not to all rounds together. */
  countsOutputPerRound: boolean
  /**
   * Returns the members to change, as JSON text by name, so that hosted tools are used at most this often. Null
   * when no member can express that.
   */
  limitToolUses(body: JsonObject, uses: number): Record<string, string> | null
  /** Returns how many answers one request asks for: each may use the maximum output. */
  choicesOf(body: JsonObject): number
  /**
   * Returns the member to set, as JSON text, so that a system text comes first; null when the endpoint has no
   * system text. `jsonOf` returns a member as the caller wrote it, so that the rest of it keeps its bytes.
   */
  addSystemText(
    text: string,
    body: JsonObject,
    jsonOf: (name: string) => string,
  ): { name: string; json: string } | null
  /** Returns the members, as JSON text by name, that make a stream report its usage. */
  requestUsage(body: JsonObject): Record<string, string>
  /**
   * Returns whether the input may be written to the provider's cache for longer than minutes, the most expensive
   * rate.
   */
  mayCacheForAnHour(body: JsonObject): boolean
  /** Measures further use. Absent when the body alone determines it. */
  measureAdditionalUsage?(body: JsonObject, context: UsageContext): Promise<AdditionalUsage>
}

/** A maximum that cannot be reserved must not be forwarded, because the provider might interpret it differently. */
export function findCountFault(body: JsonObject, field: string, max = maxCount): Fault | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  const count = readCount(value)
  return count === null || count > max
    ? { path: field, message: `must be a whole number from 0 to ${max}` }
    : null
}

// Context edits that remove content. Any other edit may ask the model for a summary.
const clearing = /^clear_/

/** Both vendors use this member: one as a list of edits, the other as an object that contains one. */
export function maySummarize({ context_management: managed }: JsonObject): boolean {
  if (managed === undefined || managed === null) return false
  const edits = Array.isArray(managed) ? managed : asArray(asObject(managed).edits)
  return edits.length === 0 || edits.some((edit) => !clearing.test(asText(asObject(edit).type)))
}

/** Returns the JSON text of an array with one more item in front; the other items keep their bytes. */
export function prependItem(item: object, arrayJson: string): string {
  const rest = arrayJson.slice(1).trimStart()
  return `[${JSON.stringify(item)}${rest.startsWith(']') ? '' : ','}${rest}`
}
