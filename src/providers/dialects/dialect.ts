import { asArray, asCount, asObject, asText, type JsonObject, maxCount, readCount } from '../../json/index.js'
import type { Unit } from '../../pricing/index.js'
import type { ModelFacts, ModelMode } from '../model-facts.js'
import type { Reference } from '../references/index.js'
import type { StreamEvent } from '../sse.js'
import type { DialectTexts, ReadEvent } from '../texts/dialect-texts.js'
import type { TokenCount } from '../tokens.js'
import type { StreamAssembler } from './assembler.js'
import type { ProducedTexts } from './produced-texts.js'
import type { ReportedUsage } from './usage.js'

export type { ReportedUsage } from './usage.js'

/** What to do with an event: pass it on, leave it out, or pass it on as the last one. */
export type EventAction = 'relay' | 'drop' | 'last'

/** What is wrong with a request, and where. */
export interface Fault {
  path: string
  message: string
}

/** Reads one stream: its usage, its texts, whether it is complete. */
export interface StreamReader {
  read(event: StreamEvent): EventAction
  /** The provider's own count, as far as it was reported. */
  usage(): ReportedUsage | null
  /** What came so far, to be counted when the provider reports no usage. Texts may be added in place of an event that differs from the last one only in these. */
  readonly produced: ProducedTexts
  /** The model that answers, as the provider names it. */
  model(): string | null
  /** What the provider issued with the answer that a later request can name. Absent: nothing. */
  issued?(): readonly Reference[]
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
  /** A body that works as it is, with the mock provider. */
  example: JsonObject
  /** Media types that it answers besides JSON and events. */
  produces?: readonly string[]
}

/** A tool that the vendor runs itself in the middle of a call. */
export interface HostedTool {
  /** The name of its fee in a price. */
  fee: string
  /** Paid once for a call, however often it is used. */
  perCall: boolean
  /** How often it may be used; absent where the request does not say. */
  maxUses?: number
  /** No request can lower that. */
  isFixed?: boolean
}

export interface HostedTools {
  tools: readonly HostedTool[]
  /** How often all of them together may be used; null where the request does not say. */
  maxUses: number | null
}

/** A file that came with a request. */
export interface UploadedFile {
  /** The name of its field. */
  field: string
  bytes: Buffer
}

export interface UseContext {
  files: readonly UploadedFile[]
  facts: ModelFacts
  /** The price of the model has a fee for the unit of the dialect. */
  isPaidByUnit: boolean
  /** Tokens of these texts, at most. */
  countTokens(texts: readonly string[]): Promise<number>
}

/** What a request uses at most beside the tokens of its body. */
export interface FurtherUse {
  /** What a price may pay by something else than tokens. */
  units: readonly Unit[]
  inputTokens: number
  /** Audio, which is no part of these. */
  audio?: TokenCount
  /** What nothing bounds, where it stands. */
  unbounded: readonly Fault[]
}

/** What a request says, as far as limits and prices depend on it. */
export interface DialectRequest {
  /** Null when the shape is acceptable, as far as limits and prices depend on it. */
  faultIn(body: JsonObject): Fault | null
  /** The members that can hold the maximum output, the one first that a request should use. */
  outputFields: readonly string[]
  /** The declared maximum output: the largest, where several members hold one, since a vendor may honour any of them. */
  maxOutputOf(body: JsonObject): number | null
  /** Output beyond the maximum that the vendor may bill all the same, as texts whose tokens bound it. */
  extraOutputOf(body: JsonObject): readonly string[]
  /** An output that the request demands room for, such as for thinking: the maximum must not be lowered below it. */
  minOutputOf(body: JsonObject): number
  /**
   * The tiers that the call may be served in, by the name that a price has them under: the standard one, which is null, then the one
   * that the request asks for, then others.
   */
  tiersOf(body: JsonObject): readonly (string | null)[]
  /** Whether the answer may be, or have in it, speech or pictures. */
  mediaOf(body: JsonObject): { audio: boolean; images: boolean }
  /** Whether the vendor may produce what the caller does not see: reasoning, or answers of which it shows the best. Null: that depends on the model. */
  mayReason(body: JsonObject): boolean | null
  hostedToolsOf(body: JsonObject): HostedTools
  /** Whether the vendor may read all of the input once more, to shorten the conversation, and write what is left of it. */
  maySummarize(body: JsonObject): boolean
  /** The maximum output holds for each time that the model goes on after a hosted tool, not for all of them together. */
  countsOutputPerRound: boolean
  /** Members to change so that hosted tools are used so often at most, as JSON text by name. Null where none can say that. */
  limitToolUses(body: JsonObject, uses: number): Record<string, string> | null
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
  /** Whether the input may be written to the provider's cache for longer than minutes, which costs most. */
  mayCacheForAnHour(body: JsonObject): boolean
  /** Absent where the body says it all. */
  measureUse?(body: JsonObject, context: UseContext): Promise<FurtherUse>
}

/** How requests are written that are forms. */
export interface FormShape {
  /** Fields that are files; no other may be one. */
  files: readonly string[]
  /** Fields that may be given several times. */
  lists: readonly string[]
  /** Fields that are whole numbers, and such that are true or false. */
  counts: readonly string[]
  flags: readonly string[]
}

/** How answers are read that are no JSON: as JSON, which is counted and judged, and back. */
export interface AnswerForm {
  /** Whether an answer of this type is one; any other is read as JSON. */
  isExpected(contentType: string): boolean
  /** False where no policy can read what it says. */
  isReadable: boolean
  toJson(body: Buffer): string
  fromJson(json: string): Buffer
  /** The type under which it goes to the caller after policies have judged it. */
  contentTypeOf(given: string): string
}

/** A wire format for talking to a model: where counts, texts and the end of an answer are found. */
export interface Dialect extends DialectRequest {
  name: string
  /** Where it is found: below /v1 of the gateway, and below the root of a vendor unless that says otherwise. */
  path: string
  endpoint: EndpointDescription
  /** Of models whose price pays for it. */
  modes: readonly ModelMode[]
  /** What it is paid by, where it is not tokens: the first word of the names of its fees. */
  unit?: string
  /** It costs nothing, whatever the model costs, and no limit on tokens counts it. */
  isFree?: true
  /** The dialect whose rules bound its input, where these are not its own. */
  inputOf?: string
  /** Its member `prompt` is a text of the caller's, and no stored prompt. */
  hasOwnPrompt?: true
  /** Absent where requests are JSON. */
  form?: FormShape
  /** Null, or absent, where the answer to this request is JSON. */
  answerForm?(request: JsonObject): AnswerForm | null
  /** The model of a request that names none. */
  defaultModel?: string
  texts: DialectTexts
  readEvent: ReadEvent
  /** Sent where the caller did not. */
  defaultHeaders: Readonly<Record<string, string>>
  usageOf(answer: JsonObject, request: JsonObject): ReportedUsage | null
  /** What the provider issued with a whole answer that a later request can name. Absent: nothing. */
  issuedIn?(answer: JsonObject, request: JsonObject): readonly Reference[]
  /** What a whole answer says, to be counted when the provider did not: all texts in it, known or not. Null: it is not paid by its text. */
  outputOf(answer: JsonObject): string[] | null
  /** `body` is the request, as the caller sent it. */
  readStream(body: JsonObject): StreamReader
  /**
   * Whether an event comes before all content: who speaks, that it goes on, what was asked. As long as nothing else came, a call can be
   * tried elsewhere without its caller noticing. Absent: no event does.
   */
  isPreamble?(event: JsonObject): boolean
  /** Puts a stream together; texts beyond so many characters are left out. */
  assembleStream(maxChars: number): StreamAssembler
  /** Where most of an answer says nothing to a reader: the rest of it, and what was left out. */
  summarizeAnswer?(answer: JsonObject): { answer: JsonObject; note: string }
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
  /** `bytes`: in place of the whole, where that is no JSON. */
  answer(
    reply: MockReply,
    body: JsonObject,
  ): { whole: object; events: string[]; bytes?: { contentType: string; body: Buffer } }
  failure(message: string): object
}

/**
 * Words of the protocol in an answer, which the model did not produce. Ids are counted: vendors bill what they put around a call
 * of a tool, and an id has more tokens than that.
 */
export const protocolWords: ReadonlySet<string> = new Set(['role', 'type', 'status', 'object'])

/** A maximum that cannot be reserved must not be forwarded: the provider might read more into it than we did. */
export function findCountFault(body: JsonObject, field: string, max = maxCount): Fault | null {
  const value = body[field]
  if (value === undefined || value === null) return null
  const count = readCount(value)
  return count === null || count > max
    ? { path: field, message: `must be a whole number from 0 to ${max}` }
    : null
}

// Edits of the context that leave something out. Whatever else there is may ask the model for a summary.
const clearing = /^clear_/

/** Both vendors have a member of this name: a list of edits, or an object with one. */
export function maySummarize({ context_management: managed }: JsonObject): boolean {
  if (managed === undefined || managed === null) return false
  const edits = Array.isArray(managed) ? managed : asArray(asObject(managed).edits)
  return edits.length === 0 || edits.some((edit) => !clearing.test(asText(asObject(edit).type)))
}

/** The largest count in these members; null when none has one. To many servers 0 is the same as none. */
export function maxCountIn(body: JsonObject, fields: readonly string[]): number | null {
  return fields.map((field) => asCount(body[field])).reduce((a, b) => Math.max(a, b), 0) || null
}

/** The JSON text of an array with one more item in front; the others keep their bytes. */
export function prependItem(item: object, arrayJson: string): string {
  const rest = arrayJson.slice(1).trimStart()
  return `[${JSON.stringify(item)}${rest.startsWith(']') ? '' : ','}${rest}`
}
