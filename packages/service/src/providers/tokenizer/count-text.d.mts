import type { Tokenizer } from '../catalogue/model-properties.js'

/** The number of tokens in texts. */
export interface TokenCount {
  /** The expected number, for limits that count tokens. */
  estimate: number
  /** An upper bound, never below the number that the vendor counts, for money. */
  bound: number
}

export interface TextCounter {
  add(text: string, total: TokenCount): void
}

export interface TextCounters {
  load(tokenizer: Tokenizer): Promise<TextCounter>
  /** Returns the counter if its encoding is loaded. */
  loaded(tokenizer: Tokenizer): TextCounter | undefined
  /** Clears the caches, which keep whole texts in memory. */
  forget(): void
}

export function createTextCounters(): TextCounters
export function maxTokensOf(text: string): number
export function findCut(text: string, start: number, maxChars: number): number
