import type { Tokenizer } from '../catalogue/model-properties.js'

/** Tokens of texts. */
export interface TokenCount {
  /** What one expects. */
  estimate: number
  /** Never less than what the vendor counts. */
  bound: number
}

export interface TextCounter {
  add(text: string, total: TokenCount): void
}

export interface TextCounters {
  load(tokenizer: Tokenizer): Promise<TextCounter>
  /** Undefined while its encoding is not loaded. */
  loaded(tokenizer: Tokenizer): TextCounter | undefined
  /** Drops cached words and with them the texts that they keep alive. */
  forget(): void
}

export function createTextCounters(): TextCounters
export function maxTokensOf(text: string): number
export function findCut(text: string, start: number, maxChars: number): number
