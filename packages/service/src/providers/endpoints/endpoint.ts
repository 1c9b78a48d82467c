import type { JsonObject } from '@tallystick/record/json'
import type { Reference } from '../references/index.js'
import type { EndpointShape, PriceMode } from '../shapes/index.js'
import type { EndpointTexts, ReadEvent } from '../texts/endpoint-texts.js'
import type { StreamEvent } from '../transport/sse.js'
import type { StreamAssembler } from './assembler.js'
import type { EndpointRequest } from './endpoint-request.js'
import type { MockComposer } from './mock-composer.js'
import type { ProducedTexts } from './produced-texts.js'
import type { ReportedUsage } from './usage.js'

export type { ReportedUsage } from './usage.js'

/**
 * A wire format for calling a model, such as chat completions. The configuration, the API and providers call it a
 * dialect.
 *
 * An endpoint is a folder with a `shape.ts`, which describes its bodies once. The fields of that description are
 * explained in `shapes/endpoint-shape.ts` (the whole body) and `shapes/annotations.ts` (each member of it).
 * `defineEndpoint` derives everything from the shape that the endpoint does not define itself.
 */
export interface Endpoint extends EndpointRequest {
  /** The name in the configuration, in metrics and in receipts, such as `chat`. */
  name: string
  /** The path below /v1 of the gateway, and below a vendor's root unless the vendor defines another. */
  path: string
  /** What the OpenAPI document says about the endpoint. */
  docs: EndpointDocs
  /** The description of the request and answer bodies. Limits, policies, tool rules and caching interpret it. */
  shape: EndpointShape
  /** How a call is billed; a copy of the shape's `price`. */
  price: PriceMode
  /** The endpoint whose requests this one counts tokens for. This service can count them itself. */
  countsTokensOf?: string
  /** Returns the codec of an answer that is not JSON. Absent, or null for a request, when the answer is JSON. */
  answerCodec?(request: JsonObject): AnswerCodec | null
  /** The model of a request that does not name one. */
  defaultModel?: string
  /** Locates the texts of requests and whole answers, for policies. */
  texts: EndpointTexts
  /** Locates the texts in one event of a stream, for policies. */
  readEvent: ReadEvent
  /** Headers that are sent when the caller did not set them. */
  defaultHeaders: Readonly<Record<string, string>>
  /** Returns the usage that a whole answer reports; null when it reports none. */
  usageOf(answer: JsonObject, request: JsonObject): ReportedUsage | null
  /** Returns the ids issued with a whole answer that a later request can refer to. */
  issuedIn?(answer: JsonObject, request: JsonObject): readonly Reference[]
  /**
   * Returns all texts of a whole answer, including those in unknown members, to count when the provider reported no
   * usage. Null when the answer is not billed by its text.
   */
  outputOf(answer: JsonObject): string[] | null
  /** Creates the reader of one stream. `body` is the request as the caller sent it. */
  readStream(body: JsonObject): StreamReader
  /**
   * True when an event precedes all content, such as the role, a ping, or a copy of the request. Until content
   * arrives, a call can be tried elsewhere without its caller noticing. When absent, no event counts as a preamble.
   */
  isPreamble?(event: JsonObject): boolean
  /** Creates an assembler for one stream. Texts beyond this many characters are omitted. */
  assembleStream(maxChars: number): StreamAssembler
  /** Returns an answer without the data that a person cannot read, and a note of what was omitted. */
  summarizeAnswer?(answer: JsonObject): { answer: JsonObject; note: string }
  /** Returns an error as clients of this endpoint expect it in a body. */
  errorBody(body: ErrorBody): object
  /** Returns an error as clients of this endpoint expect it inside a stream; empty when it is not streamed. */
  streamError(body: ErrorBody): string
  /** Composes the answers of the mock provider. */
  mock: MockComposer
}

interface ErrorBody {
  error: object
}

/** What to do with an event: forward it, drop it, or forward it as the last one. */
export type EventAction = 'relay' | 'drop' | 'last'

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
  /** Returns the ids issued with the answer that a later request can refer to. */
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

/** Converts answers that are not JSON into JSON, in which they are counted and judged, and back. */
export interface AnswerCodec {
  /** True for the content types that this codec reads; any other answer is read as JSON. */
  accepts(contentType: string): boolean
  /** False for content that policies cannot read, such as audio. */
  isReadable: boolean
  toJson(body: Buffer): string
  fromJson(json: string): Buffer
  /** Returns the content type that the caller gets after policies have judged the answer. */
  contentTypeOf(given: string): string
}

/**
 * Members of an answer that are protocol words, not output. Ids are counted as output: vendors bill what they add
 * around a tool call, and an id has more tokens than that.
 */
export const protocolWords: ReadonlySet<string> = new Set(['role', 'type', 'status', 'object'])
