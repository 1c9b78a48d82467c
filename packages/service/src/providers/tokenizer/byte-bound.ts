import type { Tokenizer } from '../catalogue/model-properties.js'
import { maxTokensOf, type TokenCount } from './count-text.mjs'

/**
 * Bounds the tokens of texts without counting them: a token stands for at least one byte. The encodings of OpenAI do not normalise a
 * text first, so it cannot grow.
 */
export function boundByBytes(texts: readonly string[], tokenizer: Tokenizer): TokenCount {
  const maxOf = tokenizer === 'o200k' || tokenizer === 'cl100k' ? Buffer.byteLength : maxTokensOf
  const bound = texts.reduce((total, text) => total + maxOf(text), 0)
  return { estimate: bound, bound }
}
