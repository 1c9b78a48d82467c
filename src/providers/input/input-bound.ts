import { setImmediate as nextTurn } from 'node:timers/promises'
import type { JsonObject } from '../../json/index.js'
import type { ModelFacts } from '../model-facts.js'
import type { TokenCount, TokenCounter } from '../tokens.js'
import { Attachments, type HeldInput, type UnboundedInput } from './attachments.js'
import { BodyWalk, type WalkedTexts } from './body-walk.js'
import { callTokensOf, framings } from './framing.js'
import { createPartReader, readHeld } from './parts.js'

export interface InputRequest {
  body: JsonObject
  /** The dialect's name. */
  dialect: string
  facts: ModelFacts
  counter: Pick<TokenCounter, 'measure'>
}

/** How much input a call can have. */
export interface InputBound {
  /** What one expects of the body: for limits that count tokens. */
  estimateTokens: number
  /** Never less than what the vendor counts for the body, but for what is `held`, and for audio: for money. */
  boundTokens: number
  /** Audio, which is no part of these. */
  audio: TokenCount
  /** What the vendor adds of its own: not in the numbers. */
  held: readonly HeldInput[]
  /** What nothing bounds: not in the numbers. */
  unbounded: readonly UnboundedInput[]
}

// About a millisecond of walking.
const valuesPerTurn = 10_000

/**
 * Bounds the input of a call from its body. Everything in it counts as text, whatever member it stands in. What is known of the
 * dialect only makes that tighter; an unknown shape never makes it smaller.
 */
export async function boundInput({ body, dialect, facts, counter }: InputRequest): Promise<InputBound> {
  const attachments = new Attachments(facts)
  readHeld(body, dialect, attachments)
  const walk = new BodyWalk(body, dialect, framings[facts.tokenizer], createPartReader(dialect, attachments))
  while (!walk.run(valuesPerTurn)) await nextTurn()
  for (const text of attachments.texts) walk.found.plain.push(text)
  const texts = await countTexts(walk.found, facts, counter)
  const call = callTokensOf(dialect)
  await attachments.finish()
  const tools = walk.found.hasTools ? facts.toolPromptTokens : 0
  const { tokens, held, unbounded } = attachments
  const window = (facts.contextWindow ?? Number.POSITIVE_INFINITY) * inputsOf(body, dialect)
  return {
    estimateTokens: Math.min(call.estimate + texts.estimate + tokens.estimate + tools, window),
    boundTokens: Math.min(call.bound + texts.bound + tokens.bound + tools, window),
    audio: {
      estimate: Math.min(attachments.audioTokens.estimate, window),
      bound: Math.min(attachments.audioTokens.bound, window),
    },
    held,
    unbounded,
  }
}

async function countTexts(found: WalkedTexts, { tokenizer }: ModelFacts, counter: InputRequest['counter']) {
  const count = (texts: string[]) => (texts.length === 0 ? nothing : counter.measure(texts, tokenizer))
  const [plain, written, unwritten] = await Promise.all([
    count(found.plain),
    count(found.written),
    count(found.unwritten),
  ])
  return {
    estimate: found.estimate + plain.estimate + unwritten.estimate,
    bound: found.bound + plain.bound + Math.max(written.bound, unwritten.bound),
  }
}

const nothing = { estimate: 0, bound: 0 }

/** Each input that a model reads by itself may be as long as its window. */
function inputsOf(body: JsonObject, dialect: string): number {
  const inputs = body[inputsApart[dialect] ?? '']
  if (!Array.isArray(inputs) || inputs.every((each) => typeof each === 'number')) return 1
  return Math.max(1, inputs.length)
}

/** By the dialect's name, the member that holds the inputs which a model reads one at a time. */
const inputsApart: Readonly<Record<string, string>> = {
  embeddings: 'input',
  completions: 'prompt',
  moderations: 'input',
  rerank: 'documents',
}

export const readsInputsApart = (dialect: string): boolean => Object.hasOwn(inputsApart, dialect)
