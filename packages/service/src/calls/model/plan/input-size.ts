import { paysFor, type Unit } from '@tallystick/record/pricing'
import {
  boundInput,
  type NamedReference,
  type Target,
  type TokenCounter,
  type VendorInput,
} from '../../../providers/index.js'
import type { Call } from '../call.js'
import type { UsedPrompt } from './apply-prompt.js'
import type { CallReferences } from './references.js'

/** The size of the input of a call. */
export interface InputSize {
  /** The expected number of tokens, for limits that count tokens. */
  estimateTokens: number
  /** An upper bound of what the vendor counts, including audio, for the cost. */
  boundTokens: number
  /** The audio tokens within `boundTokens`. */
  audioTokens: number
  /** Output tokens that no maximum applies to. */
  extraOutputTokens: number
  /** The output tokens that fit into the context window beside the input. Infinite when the window is not known. */
  windowRoom: number
  /** Quantities that may be priced by a unit other than tokens. */
  units: readonly Unit[]
  /** Parts of the request whose size is not bounded, and where they are. */
  unbounded: readonly { path: string; message: string }[]
}

export interface InputParts {
  tokens: Pick<TokenCounter, 'measure'>
}

/** Measures the input. `bodyCounter` counts the texts of the body itself. */
export async function measureInput(
  call: Call,
  references: CallReferences,
  prompt: UsedPrompt | null,
  { properties, names, price }: Target,
  { tokens }: InputParts,
  bodyCounter: Pick<TokenCounter, 'measure'> = tokens,
): Promise<InputSize> {
  const { body, endpoint } = call
  const { tokenizer, contextWindow } = properties
  const bound = await boundInput({ body, shape: endpoint.shape, properties, counter: bodyCounter })
  const added = prompt === null ? noTokens : await tokens.measure([prompt.text], tokenizer)
  const extra = endpoint.extraOutputOf(body)
  const extraOutput = extra.length === 0 ? noTokens : await tokens.measure(extra, tokenizer)
  const further = await endpoint.measureAdditionalUsage?.(body, {
    files: call.files,
    properties,
    isPaidByUnit: endpoint.price.unit !== undefined && paysFor(price, endpoint.price.unit),
    countTokens: async (texts) => (await tokens.measure(texts, tokenizer)).bound,
  })
  const { units = [], inputTokens = 0, audio = noTokens } = further ?? {}
  const audioTokens = bound.audio.bound + audio.bound
  const audioEstimate = bound.audio.estimate + audio.estimate
  const unbounded = [...bound.unbounded, ...(further?.unbounded ?? [])]
  let storedTokens = 0
  /** The tokens within `storedTokens` that are assumed to fill a whole window because their number is not known. */
  let assumedTokens = 0
  for (const stored of bound.vendorInputs.filter(addsInput)) {
    const known = references.tokensOf(stored, names)
    if (known !== null) storedTokens += known
    else if (contextWindow !== null) {
      storedTokens += contextWindow
      assumedTokens += contextWindow
    } else unbounded.push({ path: stored.path, message: explainUnknownSize(stored) })
  }
  const window = contextWindow ?? Number.MAX_SAFE_INTEGER
  const boundTokens =
    bound.boundTokens + inputTokens + audioTokens + added.bound + promptFraming + storedTokens
  const estimateTokens = bound.estimateTokens + inputTokens + audioEstimate + added.estimate + storedTokens
  // Inputs that are read one at a time are each at most as long as the window, which their counts already include.
  const isReadSeparately = endpoint.shape.separateInputs !== null
  return {
    estimateTokens: isReadSeparately ? bound.estimateTokens + inputTokens : Math.min(estimateTokens, window),
    boundTokens: isReadSeparately ? bound.boundTokens + inputTokens : Math.min(boundTokens, window),
    audioTokens: Math.min(audioTokens, window),
    extraOutputTokens: extraOutput.bound,
    windowRoom: windowRoomOf(properties, boundTokens, estimateTokens - assumedTokens),
    units,
    unbounded,
  }
}

/**
 * Vendors refuse a maximum output that does not fit into the window beside the input. The bound of the input is always safe. With an
 * unknown encoding it may be four times the input; then half of what the estimate leaves is more useful.
 */
function windowRoomOf(
  { contextWindow, separateOutput }: Target['properties'],
  bound: number,
  estimate: number,
): number {
  if (contextWindow === null || separateOutput) return Number.POSITIVE_INFINITY
  return Math.max(0, contextWindow - bound, Math.floor((contextWindow - estimate) / 2))
}

// The kinds that add input of unknown size. The text of stored prompts is counted, and tools, containers and files are bounded elsewhere.
const kindsThatAddInput = new Set<VendorInput['kind']>(['response', 'conversation', 'item', 'audio'])

const addsInput = (stored: VendorInput): stored is NamedReference => kindsThatAddInput.has(stored.kind)

const noTokens = { estimate: 0, bound: 0 }

// Tokens for the message or block that holds the prompt.
const promptFraming = 16

const explainUnknownSize = ({ kind }: VendorInput): string =>
  `names a ${kind} that the provider stores. Neither its size nor the context window of the model is known`
