/** What a model does, which determines how it is billed. */
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

/** How a text is tokenized. `bytes`: the encoding is not known, and no token is shorter than a byte. */
export type Tokenizer = 'o200k' | 'cl100k' | 'claude' | 'bytes'

/**
 * The vendor's formula for an image, by its size in pixels.
 *
 * - `tiles`: the image is scaled to fit `maxEdge`, then so that its shorter side is `shortEdge`. It costs `base`, plus `perTile` for
 *   each tile of 512 pixels; in low detail `base` alone.
 * - `patches`: the image is scaled down to fit `maxEdge`, if that is set, and to at most `maxPatches` squares of `patchPixels`,
 *   including incomplete ones. It costs `permille` thousandths of a token for each square.
 * - `fixed`: the image costs at most `tokens`, whatever its size.
 */
export type ImageFormula =
  | { kind: 'tiles'; base: number; perTile: number; maxEdge: number; shortEdge: number }
  | { kind: 'patches'; patchPixels: number; permille: number; maxPatches: number; maxEdge?: number }
  | { kind: 'fixed'; tokens: number }

/** The properties of a model that bound what a call to it can use. */
export interface ModelProperties {
  tokenizer: Tokenizer
  /** The vendor refuses longer input. Null when it is not known. */
  contextWindow: number | null
  /**
   * True when the output has its own limit and does not count against the context window. By default, input and
   * output share the window.
   */
  separateOutput?: true
  /** Null when it is not known. */
  maxOutputTokens: number | null
  /** The vendor's default for a request without a maximum, when it is less than `maxOutputTokens`. */
  defaultOutputTokens?: number
  /** Null when the model takes no images, or the formula is not known. */
  images: ImageFormula | null
  /** Whether the model may produce output that the caller does not see. Defaults to true. */
  reasons?: boolean
  /** Tokens for each second of audio input; null when the model takes no audio. */
  audioTokensPerSecond: number | null
  /** The most tokens that the vendor adds to a call with tools. */
  toolPromptTokens: number
  /** The most tokens for the definition of each tool of the vendor, such as a shell, a browser or a search. */
  vendorToolTokens: number
  /** Hosted tools that every call uses without requesting them, and how often. */
  usesPerCall: Readonly<Record<string, number>>
}
