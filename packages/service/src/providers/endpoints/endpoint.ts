import { asArray, asObject, asText, type JsonObject, maxCount, readCount } from '@tallystick/record/json'
import type { Unit } from '@tallystick/record/pricing'
import type { ModelProperties } from '../catalogue/model-properties.js'
import type { Reference } from '../references/index.js'
import type { EndpointShape, PriceMode } from '../shapes/index.js'
import type { EndpointTexts, ReadEvent } from '../texts/endpoint-texts.js'
import type { TokenCount } from '../tokenizer/token-counter.js'
import type { StreamEvent } from '../transport/sse.js'
import type { StreamAssembler } from './assembler.js'
import type { ProducedTexts } from './produced-texts.js'
import type { ReportedUsage } from './usage.js'

export type { ReportedUsage } from './usage.js'

/** What to do with an event: forward it, drop it, or forward it as the last one. */
export type EventAction = 'relay' | 'drop' | 'last'

/** A fault in a request, and its path. */
export interface Fault {
  path: string
  message: string
}

/** Reads one stream: its usage, its texts, and whether it is complete. */
export interface StreamReader {
  read(event: StreamEvent): EventAction
  /** Returns the provider's own count, as far as it was reported. */
  usage(): ReportedUsage | null
  /**
   * The text received so far, counted when the provider reports no usage. When an event differs from the previous
   * one only in these texts, they may be added without parsing the event.
   */
  readonly produced: ProducedTexts
  /** Returns the model that answers, by the provider's own name. */
  model(): string | null
  /** Returns the ids issued with the answer that a later request can refer to. Optional. */
  issued?(): readonly Reference[]
  /** True when the answer is complete, even if the closing event is missing. */
  finished(): boolean
  /** True when the provider reported a failure inside the stream. */
  failed(): boolean
}

/** The names and texts of an endpoint in the OpenAPI document. */
export interface EndpointDocs {
  operationId: string
  summary: string
  description: string
  /** A body that works unchanged with the mock provider. */
  example: JsonObject
  /** Media types of answers besides JSON and events. */
  produces?: readonly string[]
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

export interface UseContext {
  files: readonly UploadedFile[]
  facts: ModelProperties
  /** True when the price of the model has a fee for the endpoint's unit. */
  isPaidByUnit: boolean
  /** Returns an upper bound of the tokens in these texts. */
  countTokens(texts: readonly string[]): Promise<number>
}

/** The most that a request can use besides the tokens of its body. */
export interface FurtherUse {
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
  withSystem(
    text: string,
    body: JsonObject,
    jsonOf: (name: string) => string,
  ): { name: string; json: string } | null
  /** Returns the members, as JSON text by name, that make a stream report its usage. */
  usageRequest(body: JsonObject): Record<string, string>
  /**
   * Returns whether the input may be written to the provider's cache for longer than minutes, the most expensive
   * rate.
   */
  mayCacheForAnHour(body: JsonObject): boolean
  /** Measures further use. Absent when the body alone determines it. */
  measureUse?(body: JsonObject, context: UseContext): Promise<FurtherUse>
}

/** Converts answers that are not JSON into JSON, which is counted and judged, and back. */
export interface AnswerForm {
  /** True when an answer of this type has this form; any other is read as JSON. */
  isExpected(contentType: string): boolean
  /** False when no policy can read the content. */
  isReadable: boolean
  toJson(body: Buffer): string
  fromJson(json: string): Buffer
  /** Returns the content type that the caller gets after policies have judged the answer. */
  contentTypeOf(given: string): string
}

/**
 * A wire format for calling a model: its description, and everything computed from requests, answers and streams.
 */
export interface Endpoint extends EndpointRequest {
  name: string
  /** The path below /v1 of the gateway, and below a vendor's root unless the vendor defines another. */
  path: string
  docs: EndpointDocs
  shape: EndpointShape
  price: PriceMode
  /** The endpoint whose requests this one counts tokens for. This service can count them itself. */
  countsTokensOf?: string
  /** Returns null, or is absent, when the answer to this request is JSON. */
  answerForm?(request: JsonObject): AnswerForm | null
  /** The model of a request that does not name one. */
  defaultModel?: string
  texts: EndpointTexts
  readEvent: ReadEvent
  /** Headers that are sent when the caller did not set them. */
  defaultHeaders: Readonly<Record<string, string>>
  usageOf(answer: JsonObject, request: JsonObject): ReportedUsage | null
  /** Returns the ids issued with a whole answer that a later request can refer to. Optional. */
  issuedIn?(answer: JsonObject, request: JsonObject): readonly Reference[]
  /**
   * Returns all texts of a whole answer, including those in unknown members, to count when the provider reported no
   * usage. Null when the answer is not billed by its text.
   */
  outputOf(answer: JsonObject): string[] | null
  /** `body` is the request as the caller sent it. */
  readStream(body: JsonObject): StreamReader
  /**
   * True when an event precedes all content, such as the role, a ping, or a copy of the request. Until content
   * arrives, a call can be tried elsewhere without its caller noticing. When absent, no event counts as a preamble.
   */
  isPreamble?(event: JsonObject): boolean
  /** Assembles a stream; texts beyond this many characters are left out. */
  assembleStream(maxChars: number): StreamAssembler
  /** Returns an answer without the data that a person cannot read, and a note of what was left out. */
  summarizeAnswer?(answer: JsonObject): { answer: JsonObject; note: string }
  /** Returns an error as clients of this endpoint expect it, in a body and inside a stream. */
  errorBody(body: ErrorBody): object
  streamError(body: ErrorBody): string
  mock: MockComposer
}

interface ErrorBody {
  error: object
}

/** The mock provider's reply. */
export interface MockReply {
  id: string
  model: string
  words: string[]
  inputTokens: number
  outputTokens: number
  truncated: boolean
  created: number
}

/** Composes the mock provider's answers in an endpoint's format. */
export interface MockComposer {
  /** Returns a whole answer. `bytes` replaces it when the answer is not JSON. */
  answer(
    reply: MockReply,
    body: JsonObject,
  ): { whole: object; events: string[]; bytes?: { contentType: string; body: Buffer } }
  failure(message: string): object
}

/** An endpoint without its own error format uses OpenAI's. */
export type MockParts = Pick<MockComposer, 'answer'> & Partial<MockComposer>

/**
 * Members of an answer that are protocol words, not output. Ids are counted as output: vendors bill what they add
 * around a tool call, and an id has more tokens than that.
 */
export const protocolWords: ReadonlySet<string> = new Set(['role', 'type', 'status', 'object'])

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
