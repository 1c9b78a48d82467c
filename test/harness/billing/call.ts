import { createHash } from 'node:crypto'
import { type Json, type JsonObject, numberAt } from './json.js'
import { Refusal } from './media.js'
import { undocumentedMaxOutput, type VendorModel } from './price-book.js'
import type { BilledAt, Metered } from './usage.js'
import type { VendorState } from './vendor-state.js'

/** One request, as the vendor understands it. */
export interface VendorCall {
  id: string
  name: string
  model: VendorModel
  body: JsonObject
  /** Of a form. */
  files: readonly Buffer[]
  held: VendorState
  /** How much a model that does not reason says at most, whatever it is allowed. */
  maxVisibleTokens: number
}

/** An event of a stream: its name, where the dialect names events, and its data. */
export interface StreamEvent {
  name?: string
  data: Json | '[DONE]'
}

/** What is billed for a call, and how it is answered. */
export interface Served {
  used: Metered
  at: BilledAt
  /** Billed beside, at the price of another model. */
  besidesPico: bigint
  answer: Json
  /** In place of the answer, where that is no JSON. */
  bytes?: { contentType: string; body: Buffer }
  events: readonly StreamEvent[]
}

/** Tokens that a reasoning model shows. The rest of what it is allowed is hidden. */
export const shownOfReasoning = 60

export interface Output {
  shown: number
  reasoning: number
  /** Whether the maximum ended it. */
  cut: boolean
}

/** As much as is allowed; of what a model that does not reason says, `maxVisibleTokens` at most. */
export function produce({ model, maxVisibleTokens }: VendorCall, maximum: number, reasons: boolean): Output {
  if (!reasons) {
    const shown = Math.min(maximum, maxVisibleTokens)
    return { shown, reasoning: 0, cut: shown === maximum }
  }
  const shown = Math.min(maximum, model.vendor === 'xai' ? 2 : shownOfReasoning)
  return { shown, reasoning: maximum - shown, cut: true }
}

/** The maximum that a call has: the declared one, or the model's, or what a model without one says. */
export function maximumOf({ name, model }: VendorCall, declared: number | undefined): number {
  const own = model.maxOutput ?? undocumentedMaxOutput
  if (declared === undefined) return own
  if (model.maxOutput !== null && declared > model.maxOutput)
    throw new Refusal(
      `max_tokens is too large: ${declared}. ${name} supports at most ${model.maxOutput} completion tokens.`,
    )
  return declared
}

export function checkInput({ model }: VendorCall, tokens: number): void {
  if (tokens <= model.maxInput) return
  throw new Refusal(
    `prompt is too long: ${tokens} tokens > ${model.maxInput} maximum. This model's maximum context length is ${model.maxInput} tokens.`,
    'context_length_exceeded',
  )
}

/** Of OpenAI's models: what of a prompt was cached before, and what is written, in steps of 128 tokens. */
export function cacheOpenAi(
  { name, model, held }: VendorCall,
  prompt: Json,
  tokens: number,
): Pick<Metered, 'cached' | 'written'> {
  if (model.minCached === null || tokens < model.minCached) return { cached: 0, written: 0 }
  const whole = Math.floor(tokens / 128) * 128
  const known = held.cache(hash(`${name} ${JSON.stringify(prompt)}`))
  if (known) return { cached: whole, written: 0 }
  return { cached: 0, written: model.rates.written === model.rates.input ? 0 : whole }
}

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The tier that is answered: the one that was asked for, where the model has it. */
export function tierOf({ body, model }: VendorCall): { billed?: string; answered: string } {
  const asked = body.service_tier
  if (typeof asked !== 'string' || asked === 'auto' || asked === 'default') return { answered: 'default' }
  if (!model.tiers?.[asked]) throw new Refusal(`service_tier '${asked}' is not supported with this model`)
  return { billed: asked, answered: asked }
}

export const declared = (body: JsonObject, ...names: string[]): number | undefined => {
  const numbers = names
    .map((name) => numberAt(body, name))
    .filter((value): value is number => value !== undefined)
  return numbers.length === 0 ? undefined : Math.max(...numbers)
}

/** A text in a few pieces, as a stream brings it. */
export function inPieces(text: string, pieces = 8): string[] {
  const length = Math.max(1, Math.ceil(text.length / pieces))
  return Array.from({ length: Math.ceil(text.length / length) }, (_, index) =>
    text.slice(index * length, (index + 1) * length),
  )
}
