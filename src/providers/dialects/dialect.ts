import { type JsonObject, maxCount, readCount } from '../../json/index.js'
import type { TokenUsage } from '../cost.js'
import type { StreamEvent } from '../sse.js'
import type { DialectTexts } from '../texts/dialect-texts.js'

/** What a request holds that costs tokens before the first one is produced. */
export interface InputContent {
  texts: string[]
  /** Tokens known without counting text: framing, images, input that came as token numbers. */
  fixedTokens: number
}

/** What to do with an event: pass it on, leave it out, or pass it on as the last one. */
export type EventAction = 'relay' | 'drop' | 'last'

/** The usage that a provider reports. Some report the input first and the output last, or never. */
export interface ReportedUsage extends Omit<TokenUsage, 'outputTokens'> {
  outputTokens: number | null
}

/** What is wrong with a request, and where. */
export interface Fault {
  path: string
  message: string
}

/** Reads one stream: its usage, its texts, whether it is complete. */
export interface StreamReader {
  read(event: StreamEvent): EventAction
  /** In place of an event that differs from the last one only in its texts. */
  addTexts(texts: readonly string[]): void
  /** The provider's own count, as far as it was reported. */
  usage(): ReportedUsage | null
  /** Text produced so far, to be counted when the provider reports no usage. */
  texts(): string[]
  /** The model that answers, as the provider names it. */
  model(): string | null
  /** The answer is complete, though the closing event may be missing. */
  finished(): boolean
  /** The provider reported a failure inside the stream. */
  failed(): boolean
}

/** How an endpoint is called and described in the API's description. */
export interface EndpointDescription {
  operationId: string
  summary: string
  description: string
}

/** What a request says, as far as limits and prices depend on it. */
export interface DialectRequest {
  /** Null when the shape is acceptable, as far as limits and prices depend on it. */
  faultIn(body: JsonObject): Fault | null
  inputOf(body: JsonObject): InputContent
  /** The declared maximum output, and the field that holds it or would hold it. */
  maxOutputOf(body: JsonObject): { field: string; tokens: number | null }
  /** How many answers one request asks for: each may use the maximum output. */
  choicesOf(body: JsonObject): number
  /**
   * The member to set so that a system text comes before all else, as JSON text; null where there is no such thing.
   * `jsonOf` gives a member as the caller wrote it, so that the rest of it keeps its bytes.
   */
  withSystem(
    text: string,
    body: JsonObject,
    jsonOf: (name: string) => string,
  ): { name: string; json: string } | null
  /** Members to add to a streamed request so that its usage is reported, as JSON text by name. */
  usageRequest(body: JsonObject): Record<string, string>
  /** Whether the input may be written to the provider's cache for an hour, which costs most. */
  mayCacheForAnHour(raw: Buffer): boolean
}

/** A wire format for talking to a model: where counts, texts and the end of an answer are found. */
export interface Dialect extends DialectRequest {
  name: string
  /** Where it is found: below /v1 of the gateway, and below the root of a vendor unless that says otherwise. */
  path: string
  endpoint: EndpointDescription
  texts: DialectTexts
  /** The caller's headers that belong to the dialect, for every vendor. */
  requestHeaders: readonly string[]
  /** Sent where the caller did not. */
  defaultHeaders: Readonly<Record<string, string>>
  usageOf(answer: JsonObject): ReportedUsage | null
  /** What a whole answer says, to be counted when the provider did not. */
  outputOf(answer: JsonObject): string[]
  /** `body` is the request, as the caller sent it. */
  readStream(body: JsonObject): StreamReader
  /** An error as this dialect's clients expect it, as a body and inside a stream. */
  errorBody(body: ErrorBody): object
  streamError(body: ErrorBody): string
  mock: MockComposer
}

interface ErrorBody {
  error: object
}

/** What the mock provider answers. */
export interface MockReply {
  id: string
  model: string
  words: string[]
  inputTokens: number
  outputTokens: number
  truncated: boolean
  created: number
}

/** The shapes of the mock provider's answers. */
export interface MockComposer {
  answer(reply: MockReply, body: JsonObject): { whole: object; events: string[] }
  failure(message: string): object
}

// Both vendors resize large images to about this many tokens; the provider's own count replaces it at the end.
export const tokensPerImage = 1_600

/** Base64 of a file is not prose: four tokens in ten bytes would be far off either way; the provider corrects it. */
export const tokensPerFile = 3_000

/** A maximum that cannot be reserved must not be forwarded: the provider might read more into it than we did. */
export function findCountFault(body: JsonObject, field: string, max = maxCount): Fault | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  const count = readCount(value)
  return count === null || count > max
    ? { path: field, message: `must be a whole number from 0 to ${max}` }
    : null
}

/** The JSON text of an array with one more item in front; the others keep their bytes. */
export function prependItem(item: object, arrayJson: string): string {
  const rest = arrayJson.slice(1).trimStart()
  return `[${JSON.stringify(item)}${rest.startsWith(']') ? '' : ','}${rest}`
}
