import type { Finding } from '../detect/index.js'
import type { TextFeatures } from '../detect/prefilter.js'
import type { ExpressionFacts } from './expression-facts.js'

/** Finds in a text what a policy forbids. */
export interface TextFinder {
  /** Texts up to this length are scanned in one call of `find`, longer ones in strides. */
  maxWholeChars: number
  /** How many characters one call of `find` may cover, so that it takes some milliseconds at most, whatever the text is. */
  strideChars: number
  /** What starts at `from` or later, and before `to`. `isPlain`: it is known that folding changes nothing in the text. */
  find(text: string, from: number, to: number, isPlain?: boolean): Finding[]
  /** Not asked about ids that a machine made: random characters are bound to match somebody's pattern. */
  ignoresIds?: boolean
  /** False if the features of a text show that there is nothing to find. Only for texts in which folding changes nothing. */
  mayFind?(features: TextFeatures): boolean
}

/** How large a call is. */
export interface CallSize {
  messages: number
  /** Of all choices together: what the request declares, else what the model can do. */
  maxOutputTokens: number
  /** As we count them, before anything is redacted. */
  inputTokens: number
}

/** Names of the tools that a request gives to the model, or an answer calls. */
export interface ToolNames {
  /** What each tool goes by: all that it does, where that is more than one name. */
  names: readonly string[]
  /** Further spellings of those, and classes that they belong to. */
  aliases: readonly string[]
  /** False where there are tools whose names cannot be told. */
  isReadable: boolean
}

/** A compiled config: what the policy judges, and how it decides. */
export type Judge =
  | { subject: 'model'; forbids(names: readonly string[]): boolean }
  | { subject: 'size'; excessOf(size: CallSize): string | null }
  | {
      subject: 'tools'
      objectionTo(tools: ToolNames): string | null
      /** Whether a list of allowed tools names it. */
      grants(name: string): boolean
    }
  | { subject: 'call'; violates(facts: ExpressionFacts): boolean }
  | {
      subject: 'text'
      /** Policies with the same finder share what it finds in a text. */
      finders: readonly TextFinder[]
      /** Which findings count; all, if left out. */
      isWanted?(finding: Finding): boolean
      /** Whether what was redacted from the request is put back into the answer. */
      restore: boolean
    }
  | { subject: 'service'; url: string; timeoutMs: number; onError: 'block' | 'allow' }
