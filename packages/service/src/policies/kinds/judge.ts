import type { Finding } from '../detect/index.js'
import type { TextFeatures } from '../detect/prefilter.js'
import type { ExpressionVariables } from './expression/expression-variables.js'

/** Finds the parts of a text that a policy forbids. */
export interface TextFinder {
  /** Texts up to this length are scanned in one call of `find`, longer ones in strides. */
  maxWholeChars: number
  /** How many characters one call of `find` may cover, so that it takes some milliseconds at most, whatever the text is. */
  strideChars: number
  /** Finds what starts at `from` or later, and before `to`. `isPlain` means that folding changes nothing in the text. */
  find(text: string, from: number, to: number, isPlain?: boolean): Finding[]
  /** True when the finder is not asked about generated ids, because random characters are bound to match some pattern. */
  ignoresIds?: boolean
  /** Returns false if the features of a text show that there is nothing to find. Only for texts in which folding changes nothing. */
  mayFind?(features: TextFeatures): boolean
}

/** The size of a call. */
export interface CallSize {
  messages: number
  /** The maximum of all choices together: as the request declares it, else as the model supports it. */
  maxOutputTokens: number
  /** Counted by this service, before anything is redacted. */
  inputTokens: number
}

/** The names of the tools that a request offers or an answer calls. */
export interface ToolNames {
  /** The names of each tool, which may be more than one. */
  names: readonly string[]
  /** Further spellings of the names, and classes that the tools belong to. */
  aliases: readonly string[]
  /** False if there are tools whose names cannot be read. */
  isReadable: boolean
}

/** A compiled config, by what the policy judges. */
export type Judge =
  | { subject: 'model'; forbids(names: readonly string[]): boolean }
  | { subject: 'size'; findExcess(size: CallSize): string | null }
  | {
      subject: 'tools'
      findObjection(tools: ToolNames): string | null
      /** True when the list of allowed tools includes this tool. */
      grants(name: string): boolean
    }
  | { subject: 'call'; violates(variables: ExpressionVariables): boolean }
  | {
      subject: 'text'
      /** Policies with the same finder share what it finds in a text. */
      finders: readonly TextFinder[]
      /** True for findings that count. If omitted, all do. */
      isWanted?(finding: Finding): boolean
      /** True when values that were redacted from the request are restored in the answer. */
      restore: boolean
    }
  | { subject: 'service'; url: string; timeoutMs: number; onError: 'block' | 'allow' }
