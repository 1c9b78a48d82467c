import { paysFor, type Unit } from '../../pricing/index.js'
import {
  boundInput,
  type HeldInput,
  type NamedReference,
  readsInputsApart,
  type Target,
  type TokenCounter,
} from '../../providers/index.js'
import type { Call } from '../call.js'
import type { UsedPrompt } from './prompt.js'
import type { CallReferences } from './references.js'

/** How much a call gives the model to read. */
export interface InputSize {
  /** What one expects, for limits that count tokens. */
  estimateTokens: number
  /** Never less than what the vendor counts, audio included, for money. */
  boundTokens: number
  /** Of that, audio. */
  audioTokens: number
  /** Output that no maximum holds for. */
  extraOutputTokens: number
  /** Output tokens that the context window leaves room for, as far as can be told; infinite where the window is not known. */
  windowRoom: number
  /** What may be paid by something else than tokens. */
  units: readonly Unit[]
  /** What nothing bounds, where it stands. */
  unbounded: readonly { path: string; message: string }[]
}

export interface InputParts {
  tokens: TokenCounter
}

export async function sizeInput(
  call: Call,
  references: CallReferences,
  prompt: UsedPrompt | null,
  { facts, names, price }: Target,
  { tokens }: InputParts,
): Promise<InputSize> {
  const { body, dialect } = call
  const { tokenizer, contextWindow } = facts
  const bound = await boundInput({ body, dialect: dialect.inputOf ?? dialect.name, facts, counter: tokens })
  const added = prompt === null ? nothing : await tokens.measure([prompt.text], tokenizer)
  const extra = dialect.extraOutputOf(body)
  const extraOutput = extra.length === 0 ? nothing : await tokens.measure(extra, tokenizer)
  const further = await dialect.measureUse?.(body, {
    files: call.files,
    facts,
    isPaidByUnit: dialect.unit !== undefined && paysFor(price, dialect.unit),
    countTokens: async (texts) => (await tokens.measure(texts, tokenizer)).bound,
  })
  const { units = [], inputTokens = 0, audio = nothing } = further ?? {}
  const audioTokens = bound.audio.bound + audio.bound
  const audioEstimate = bound.audio.estimate + audio.estimate
  const unbounded = [...bound.unbounded, ...(further?.unbounded ?? [])]
  let heldTokens = 0
  /** Of these, what is not known and taken for a whole window. */
  let assumedTokens = 0
  for (const held of bound.held.filter(isRead)) {
    const known = references.tokensOf(held, names)
    if (known !== null) heldTokens += known
    else if (contextWindow !== null) {
      heldTokens += contextWindow
      assumedTokens += contextWindow
    } else unbounded.push({ path: held.path, message: explainHeld(held) })
  }
  const window = contextWindow ?? Number.MAX_SAFE_INTEGER
  const boundTokens = bound.boundTokens + inputTokens + audioTokens + added.bound + promptFraming + heldTokens
  const estimateTokens = bound.estimateTokens + inputTokens + audioEstimate + added.estimate + heldTokens
  // Inputs that the model reads one at a time are each as long as its window at most: that is in their numbers already.
  const isApart = readsInputsApart(dialect.name)
  return {
    estimateTokens: isApart ? bound.estimateTokens + inputTokens : Math.min(estimateTokens, window),
    boundTokens: isApart ? bound.boundTokens + inputTokens : Math.min(boundTokens, window),
    audioTokens: Math.min(audioTokens, window),
    extraOutputTokens: extraOutput.bound,
    windowRoom: roomIn(facts, boundTokens, estimateTokens - assumedTokens),
    units,
    unbounded,
  }
}

/**
 * Vendors refuse a maximum that does not fit into the window beside the input. The bound of the input never lets that happen, and of
 * an encoding that is not known it may be four times the input: then half of what the estimate leaves is the better figure.
 */
function roomIn({ contextWindow, separateOutput }: Target['facts'], bound: number, estimate: number): number {
  if (contextWindow === null || separateOutput) return Number.POSITIVE_INFINITY
  return Math.max(0, contextWindow - bound, Math.floor((contextWindow - estimate) / 2))
}

// The stored prompt is our own, and its text is added. What tools, containers and files bring is bounded elsewhere.
const readKinds = new Set<HeldInput['kind']>(['response', 'conversation', 'item', 'audio'])

const isRead = (held: HeldInput): held is NamedReference => readKinds.has(held.kind)

const nothing = { estimate: 0, bound: 0 }

// A message, or a block, of its own.
const promptFraming = 16

const explainHeld = ({ kind }: HeldInput): string =>
  `names a ${kind} that the provider keeps; how much it holds is not known, nor is the context window of the model`
