import { countTokens as countCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countO200k } from 'gpt-tokenizer/encoding/o200k_base'

export type Encoding = 'o200k' | 'cl100k' | 'claude'

// There is no public encoding of Claude's. about-claude/models/migration-guide: newer models take up to 1.35 of the older count.
const claudePercent = 130

const asOrdinaryText = { disallowedSpecial: new Set<string>() }

// The same texts come again and again: fifty calls at once send one body.
const known = new Map<string, number>()
const maxKnown = 20_000

export function countText(text: string, encoding: Encoding): number {
  if (text === '') return 0
  const key = `${encoding} ${text}`
  const before = known.get(key)
  if (before !== undefined) return before
  if (known.size >= maxKnown) known.clear()
  const tokens = countNew(text, encoding)
  known.set(key, tokens)
  return tokens
}

function countNew(text: string, encoding: Encoding): number {
  if (encoding === 'cl100k') return countCl100k(text, asOrdinaryText)
  const tokens = countO200k(text, asOrdinaryText)
  return encoding === 'claude' ? Math.ceil((tokens * claudePercent) / 100) : tokens
}

/** A text of exactly so many tokens, or of the most that are not more. */
export function makeText(tokens: number, encoding: Encoding): string {
  const words = encoding === 'claude' ? Math.floor((tokens * 100) / claudePercent) : tokens
  return ' a'.repeat(words)
}

// What is encrypted for the caller is the text of the reasoning, in base64: four bytes to a token.
const encryptedBytesPerToken = 4
export const countEncrypted = (base64: string): number =>
  Math.ceil((base64.length * 3) / 4 / encryptedBytesPerToken)
export const makeEncrypted = (tokens: number): string =>
  Buffer.alloc(tokens * encryptedBytesPerToken, 'gAAAAABo3K9xQ2v7').toString('base64')
