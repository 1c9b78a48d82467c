import type { Finding } from '../detect/index.js'
import type { Sketch } from '../detect/sketch.js'
import type { ExpressionFacts } from './expression-facts.js'

/** Finds in a text what a policy looks for. */
export interface TextFinder {
  /** Texts up to this length are looked at in one go, longer ones in strides. */
  atOnce: number
  /** How many places one look may begin at, so that it ends within some milliseconds whatever the text is. */
  stride: number
  /** What begins at `from` or later, and before `to`. `isPlain`: it is known that folding changes nothing in the text. */
  find(text: string, from: number, to: number, isPlain?: boolean): Finding[]
  /** False where the sketch of a text, in which folding changes nothing, tells that there is nothing to be found. */
  mayFind?(sketch: Sketch): boolean
}

/** How large a call is. */
export interface CallSize {
  messages: number
  /** Of all choices together: what the request declares, else what the model can do. */
  mostOutputTokens: number
  /** As we count them, before anything is taken out. */
  inputTokens: number
}

/** What a policy has become once its config was read: what it looks at, and how it decides. */
export type Judge =
  | { looksAt: 'model'; forbids(names: readonly string[]): boolean }
  | { looksAt: 'size'; excessOf(size: CallSize): string | null }
  | { looksAt: 'tools'; forbids(name: string): boolean }
  | { looksAt: 'call'; violates(facts: ExpressionFacts): boolean }
  | {
      looksAt: 'text'
      /** Policies that have the same one share what it finds in a text. */
      finders: readonly TextFinder[]
      /** Which findings are meant; all, when left out. */
      means?(finding: Finding): boolean
      restore: boolean
    }
  | { looksAt: 'service'; url: string; timeoutMs: number; onError: 'block' | 'allow' }
