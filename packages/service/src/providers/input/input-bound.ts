import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '@tallystick/record/json'
import type { ModelProperties } from '../catalogue/model-properties.js'
import type { EndpointShape } from '../shapes/index.js'
import type { TokenCount, TokenCounter } from '../tokenizer/token-counter.js'
import { Attachments, type UnboundedInput, type VendorInput } from './attachments.js'
import { BodyWalk, type WalkedTexts } from './body-walk.js'
import { callTokens, framings } from './framing.js'
import { createPartReader, readVendorInput } from './parts.js'

export interface InputRequest {
  body: JsonObject
  shape: EndpointShape
  properties: ModelProperties
  counter: Pick<TokenCounter, 'measure'>
}

/** The input of a call, estimated and at most. */
export interface InputBound {
  /** The expected tokens of the body: for limits that count tokens. */
  estimateTokens: number
  /** Never less than the vendor counts for the body, except for `held` input and audio: for money. */
  boundTokens: number
  /** Audio, which is not included in the other counts. */
  audio: TokenCount
  /** Input that the vendor adds; not included in the counts. */
  vendorInputs: readonly VendorInput[]
  /** Input without a bound; not included in the counts. */
  unbounded: readonly UnboundedInput[]
}

// Takes about a millisecond.
const valuesPerSlice = 10_000

/**
 * Bounds the input of a call from its body. Everything in the body counts as text, in any member. The endpoint's
 * description only makes the bound tighter: an unknown member never makes it smaller.
 */
export async function boundInput({ body, shape, properties, counter }: InputRequest): Promise<InputBound> {
  const attachments = new Attachments(properties)
  readVendorInput(body, shape, attachments)
  const walk = new BodyWalk(body, shape, framings[properties.tokenizer], createPartReader(shape, attachments))
  while (!walk.run(valuesPerSlice)) await nextTurn()
  for (const text of attachments.texts) walk.found.plain.push(text)
  const texts = await countTexts(walk.found, properties, counter)
  const call = shape.description.isUnframed ? nothing : callTokens
  await attachments.finish()
  const tools = walk.found.hasTools ? properties.toolPromptTokens : 0
  const { tokens, vendorInputs, unbounded } = attachments
  const window = (properties.contextWindow ?? Number.POSITIVE_INFINITY) * shape.countSeparateInputs(body)
  return {
    estimateTokens: Math.min(call.estimate + texts.estimate + tokens.estimate + tools, window),
    boundTokens: Math.min(call.bound + texts.bound + tokens.bound + tools, window),
    audio: {
      estimate: Math.min(attachments.audioTokens.estimate, window),
      bound: Math.min(attachments.audioTokens.bound, window),
    },
    vendorInputs,
    unbounded,
  }
}

async function countTexts(
  found: WalkedTexts,
  { tokenizer }: ModelProperties,
  counter: InputRequest['counter'],
) {
  const count = (texts: string[]) => (texts.length === 0 ? nothing : counter.measure(texts, tokenizer))
  const [plain, written, unwritten] = await Promise.all([
    count(found.plain),
    count(found.escaped),
    count(found.unescaped),
  ])
  return {
    estimate: found.estimate + plain.estimate + unwritten.estimate,
    bound: found.bound + plain.bound + Math.max(written.bound, unwritten.bound),
  }
}

const nothing = { estimate: 0, bound: 0 }
