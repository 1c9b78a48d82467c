import type { Tokenizer } from '../model-facts.js'
import type { TokenCount } from '../tokens.js'

/**
 * Tokens for what stands around values when an object is written out, as JSON with or without blanks and line ends, as lines of
 * `name: value`, or as the type of a tool's parameters. The property test holds that these are enough, per encoding.
 */
export interface Framing {
  /** Around a value, and around a name, where a vendor may write anything. */
  value: number
  name: number
  /** Around a text at a place that the dialect knows. */
  knownText: number
  /** Around its name: that is short, and counted without an encoding. */
  knownName(name: string): number
  /** For `true`, `false` and `null`. */
  literal: number
  /** Before a value that is written on a line of its own. */
  indent(depth: number): number
}

const inMergedTokens: Framing = {
  value: 4,
  name: 4,
  knownText: 2,
  knownName: (name) => 2 + Math.ceil(name.length / 6),
  literal: 2,
  // Encodings have tokens for runs of blanks: those of o200k and cl100k have up to 80 of them.
  indent: (depth) => depth >> 3,
}

// Claude is told of calls in tags that have the name of a parameter between them: about ten tokens of the older encoding.
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

/** For a call as such: what begins its messages, and its answer. An embedding has neither. */
export const callTokensOf = (dialect: string): TokenCount =>
  dialect === 'embeddings' || dialect === 'rerank' ? { estimate: 0, bound: 0 } : { estimate: 3, bound: 16 }
