/** What a model does, and is priced for. */
export type ModelMode =
  | 'chat'
  | 'responses'
  | 'completion'
  | 'embedding'
  | 'moderation'
  | 'image'
  | 'speech'
  | 'transcription'
  | 'rerank'

/** How many tokens a text has. `bytes`: the encoding is not known, and no token is shorter than a byte. */
export type Tokenizer = 'o200k' | 'cl100k' | 'claude' | 'bytes'

/**
 * The vendor's formula for an image, by its size in pixels.
 *
 * - tiles: scaled to fit `maxEdge`, then its shorter side to `shortEdge`; `base` plus `perTile` for each tile of 512 pixels. In low
 *   detail `base` alone.
 * - patches: scaled down to fit `maxEdge`, where there is one; squares of `patchPixels`, begun ones included, scaled down to at most
 *   `maxPatches`; times `permille`.
 * - fixed: at most so many, whatever its size.
 */
export type ImageFormula =
  | { kind: 'tiles'; base: number; perTile: number; maxEdge: number; shortEdge: number }
  | { kind: 'patches'; patchPixels: number; permille: number; maxPatches: number; maxEdge?: number }
  | { kind: 'fixed'; tokens: number }

/** What must be known of a model to bound what a call to it can use. */
export interface ModelFacts {
  tokenizer: Tokenizer
  /** No input is longer than this: the vendor refuses it. Null when it is not known. */
  contextWindow: number | null
  /** The output does not count against the context window: each has a limit of its own. Absent: they share the window. */
  separateOutput?: true
  /** Null when it is not known. */
  maxOutputTokens: number | null
  /** What the vendor gives a request that declares no maximum, where that is less than `maxOutputTokens`. */
  defaultOutputTokens?: number
  /** Null: it takes no images, or the formula is not known. */
  images: ImageFormula | null
  /** Whether it may produce what the caller does not see. Absent: it may. */
  reasons?: boolean
  /** Tokens for each second of audio input; null when it takes none. */
  audioTokensPerSecond: number | null
  /** Tokens that the vendor adds of its own to a call with tools, at most. */
  toolPromptTokens: number
  /** Tokens for each tool whose definition is the vendor's own (a shell, a browser, a search), at most. */
  vendorToolTokens: number
  /** Hosted tools that every call uses without asking for them, and how often. */
  usesPerCall: Readonly<Record<string, number>>
}
