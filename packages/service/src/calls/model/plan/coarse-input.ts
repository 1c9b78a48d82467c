import { readsInputTokens } from '../../../policies/index.js'
import { boundByBytes, type Target, type TokenCounter } from '../../../providers/index.js'
import type { Call } from '../call.js'
import { initialAllowance, type OutputConstraints } from './allowance.js'
import { CallBounds } from './call-bounds.js'
import { type InputParts, type InputSize, measureInput } from './input-size.js'
import type { Plan } from './plan.js'

// Counting a shorter text costs less than reserving and admitting a second time does, should the first be refused.
const minBodyBytes = 4 * 1024

const byteCounter: Pick<TokenCounter, 'measure'> = {
  measure: async (texts, tokenizer) => boundByBytes(texts, tokenizer),
}

/**
 * Measures the input with a token for each byte of its texts, which costs far less than counting them. Both the bound and the estimate are
 * at least what counting would find. Returns null when the call depends on the count: it is a line of a batch, whose reservation others
 * wait for, a policy reads the count, or the maximum output to forward depends on it.
 */
export async function measureCoarsely(
  call: Call,
  { selection, references, prompt }: Pick<Plan, 'selection' | 'references' | 'prompt'>,
  target: Target,
  constraints: OutputConstraints,
  parts: InputParts,
): Promise<{ input: InputSize; bounds: CallBounds } | null> {
  if (call.raw.length < minBodyBytes || call.batch !== null || readsInputTokens(selection)) return null
  const input = await measureInput(call, references, prompt, target, parts, byteCounter)
  const { contextWindow, separateOutput } = target.properties
  const smallest = {
    estimateTokens: 0,
    windowRoom: separateOutput ? Number.POSITIVE_INFINITY : (contextWindow ?? Number.POSITIVE_INFINITY),
  }
  const bounds = new CallBounds(call, target, input)
  const { outputTokens } = initialAllowance(bounds, input, constraints)
  return outputTokens === initialAllowance(bounds, smallest, constraints).outputTokens
    ? { input, bounds }
    : null
}
