import { asArray, asCount, asObject, asText, type JsonObject, writeJson } from '@tallystick/record/json'
import type { EndpointShape } from '../shapes/index.js'
import { TextWalk } from '../texts/text-walk.js'
import { formatEvent } from '../transport/sse.js'
import type { Endpoint } from './endpoint.js'
import {
  type EndpointRequest,
  type Fault,
  findCountFault,
  type HostedTools,
  maySummarize,
} from './endpoint-request.js'
import type { MockParts } from './mock-composer.js'
import { mayCacheForAnHour } from './prompt-caching.js'
import { serviceTiersOf } from './usage.js'

/** What an endpoint defines besides its shape. Everything left out is derived. */
type EndpointParts = Pick<Endpoint, 'name' | 'path' | 'docs' | 'usageOf' | 'outputOf'> &
  Partial<Omit<Endpoint, 'shape' | 'price' | 'mock'>> & {
    mock: MockParts
  }

// OpenAI's own limit. Each choice may use the whole maximum output.
const maxChoices = 128

/** Creates an endpoint from the description of its bodies. This runs once, when the program starts. */
export function defineEndpoint(shape: EndpointShape, parts: EndpointParts): Endpoint {
  const isStreamed = parts.readStream !== undefined
  return {
    ...deriveRequest(shape),
    readStream: neverStreamed,
    assembleStream: neverStreamed,
    streamError: (body) => (isStreamed ? formatEvent(JSON.stringify(body)) : ''),
    defaultHeaders: {},
    texts: {
      inRequest: (json) => new TextWalk(json),
      inAnswer: (json, asJson) => new TextWalk(json, shape.answerTexts(asJson)),
      asksForJson: (body) => shape.asksForJson(body),
      isReadable: (body) => shape.isReadable(body),
      messageCount: (body) => shape.messageCount(body),
    },
    readEvent: () => ({ texts: [], revealing: [], ends: [] }),
    errorBody: (body) => body,
    ...parts,
    faultIn: (body) =>
      parts.faultIn?.(body) ?? findLimitFault(shape, body) ?? (isStreamed ? null : findStreamFault(body)),
    mock: { failure: openAiFailure, ...parts.mock },
    shape,
    price: shape.description.price,
  }
}

function deriveRequest(shape: EndpointShape): Omit<EndpointRequest, 'faultIn'> {
  const { outputLimits, addedOutput, description } = shape
  const hasGenerationOptions = description.output !== 'none' && !description.isSimple
  const hasTools = hasGenerationOptions && !description.hasNoToolsOrReferences
  return {
    outputFields: outputLimits,
    maxOutputOf: (body) => shape.maxOutputOf(body),
    extraOutputOf: (body) =>
      addedOutput.filter((name) => body[name] !== undefined).map((name) => writeJson(body[name])),
    minOutputOf: () => 0,
    tiersOf: hasGenerationOptions ? serviceTiersOf : () => [null],
    mediaOf: () => ({ audio: false, images: false }),
    mayReason: hasGenerationOptions ? (body) => (hidesChoices(shape, body) ? true : null) : () => false,
    hostedToolsOf: hasTools ? (body) => hostedToolsIn(shape, body) : () => ({ tools: [], maxUses: null }),
    maySummarize: hasTools ? maySummarize : () => false,
    countsOutputPerRound: false,
    limitToolUses: () => null,
    choicesOf: (body) => shape.choicesOf(body),
    addSystemText: () => null,
    requestUsage: () => ({}),
    mayCacheForAnHour: hasGenerationOptions ? mayCacheForAnHour : () => false,
  }
}

/** True when a server generates, and bills, more answers than the request asks it to return. */
function hidesChoices({ choiceCounts }: EndpointShape, body: JsonObject): boolean {
  const [returned, ...generated] = choiceCounts
  return (
    returned !== undefined &&
    generated.some((name) => asCount(body[name]) > Math.max(1, asCount(body[returned])))
  )
}

/** A tool that is not known to run on the caller's side counts as a hosted tool. */
function hostedToolsIn({ description: { callerTools } }: EndpointShape, body: JsonObject): HostedTools {
  const tools = asArray(body.tools)
    .map((tool) => asText(asObject(tool).type))
    .filter((type) => !/^(?:|function|custom)$/.test(type) && !callerTools?.test(type))
    .map((type) => ({ fee: type.slice(0, 64), perCall: false }))
  return { tools, maxUses: null }
}

/** A number that cannot be reserved must not be forwarded, because the provider might interpret it differently. */
function findLimitFault({ outputLimits, choiceCounts }: EndpointShape, body: JsonObject): Fault | null {
  for (const name of outputLimits) {
    const fault = findCountFault(body, name)
    if (fault !== null) return fault
  }
  for (const name of choiceCounts) {
    const fault = findCountFault(body, name, maxChoices)
    if (fault !== null) return fault
  }
  return null
}

const findStreamFault = ({ stream }: JsonObject): Fault | null =>
  stream === true ? { path: 'stream', message: 'must be false: this endpoint is not streamed' } : null

const neverStreamed = (): never => {
  throw new Error('this endpoint is not streamed')
}

const openAiFailure = (message: string): object => ({
  error: { type: 'server_error', message, param: null, code: null },
})
