import type { Tokenizer } from '../catalogue/model-properties.js'
import type { TokenCount } from '../tokenizer/token-counter.js'

/**
 * Tokens around values when an object is serialised: as JSON with or without spaces and line breaks, as lines of
 * `name: value`, or as the parameter type of a tool. A property test verifies that these are enough for each
 * encoding.
 */
export interface Framing {
  /** Around a value, and around a name, where a vendor may add anything. */
  value: number
  name: number
  /** Around a text in a member that the endpoint describes. */
  knownText: number
  /** Around the name of a described member. Names are short, and counted without an encoding. */
  knownName(name: string): number
  /** For `true`, `false` and `null`. */
  literal: number
  /** Before a value that is written on its own line. */
  indent(depth: number): number
}

const inMergedTokens: Framing = {
  value: 4,
  name: 4,
  knownText: 2,
  knownName: (name) => 2 + Math.ceil(name.length / 6),
  literal: 2,
  // Encodings have tokens for runs of spaces: in o200k and cl100k, for up to 80 of them.
  indent: (depth) => depth >> 3,
}

// Claude receives calls in tags that contain the parameter's name: about ten tokens of the older encoding.
const ofClaude: Framing = {
  value: 10,
  name: 16,
  knownText: 5,
  knownName: (name) => 3 + Math.ceil(name.length / 4),
  literal: 3,
  indent: (depth) => depth >> 1,
}

const inBytes: Framing = {
  value: 6,
  name: 6,
  knownText: 6,
  knownName: (name) => 6 + name.length,
  literal: 5,
  indent: (depth) => 2 * depth,
}

export const framings: Readonly<Record<Tokenizer, Framing>> = {
  o200k: inMergedTokens,
  cl100k: inMergedTokens,
  claude: ofClaude,
  bytes: inBytes,
}

/** The tokens of a call itself: those that start its messages and its answer. */
export const callTokens: TokenCount = { estimate: 3, bound: 16 }
