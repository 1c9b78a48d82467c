import { isPlain } from '../detect/fold.js'
import type { Finding } from '../detect/index.js'
import type { Judge, TextFinder } from '../kinds/judge.js'
import type { DecodedText } from './json-text.js'
import type { WorkTimer } from './work-timer.js'

type TextJudge = Extract<Judge, { subject: 'text' }>

/** Takes a millisecond. Of a longer text, each finder sees for itself, stride by stride, whether it must be folded. */
const maxPlainCheckChars = 1_000_000

/** Scans one text for several policies. Policies with the same finder share what it finds. */
export class TextScan {
  readonly #decoded: DecodedText
  readonly #timer: WorkTimer
  readonly #found = new Map<TextFinder, Finding[]>()
  #isPlain: boolean | undefined

  constructor(decoded: DecodedText, timer: WorkTimer) {
    this.#decoded = decoded
    this.#timer = timer
  }

  /** What a policy finds, by positions in the encoded text. */
  async findFor({ finders, isWanted }: TextJudge): Promise<Finding[]> {
    const found: Finding[] = []
    for (const finder of finders) {
      for (const finding of await this.#find(finder))
        if (isWanted === undefined || isWanted(finding)) found.push(finding)
    }
    return found
  }

  async #find(finder: TextFinder): Promise<Finding[]> {
    const known = this.#found.get(finder)
    if (known) return known
    const { text, positions } = this.#decoded
    this.#isPlain ??= text.length <= maxPlainCheckChars && isPlain(text)
    const stride = text.length <= finder.maxWholeChars ? text.length : finder.strideChars
    const found: Finding[] = []
    for (let from = 0; from < text.length; from += stride) {
      const to = Math.min(text.length, from + stride)
      for (const finding of finder.find(text, from, to, this.#isPlain))
        found.push(toEncodedPositions(finding, positions))
      if (this.#timer.shouldYield()) await this.#timer.yieldToOthers()
    }
    this.#found.set(finder, found)
    return found
  }
}

function toEncodedPositions(finding: Finding, positions: DecodedText['positions']): Finding {
  if (positions === undefined) return finding
  return { ...finding, start: positions[finding.start] ?? 0, end: positions[finding.end] ?? 0 }
}
