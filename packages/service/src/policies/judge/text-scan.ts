import { isPlain } from '../detect/fold.js'
import type { Finding } from '../detect/index.js'
import type { Judge, TextFinder } from '../kinds/judge.js'
import type { Decoding } from './decode/decoding.js'
import { findDecodingsOfLongText } from './decode/decodings.js'
import type { DecodedText } from './decode/json-text.js'
import type { WorkTimer } from './work-timer.js'

type TextJudge = Extract<Judge, { subject: 'text' }>

/** Checking so many characters takes a few milliseconds. In a longer text, each finder checks stride by stride whether to fold it. */
const maxPlainCheckChars = 65_536

/** A finding, by positions in the encoded text. */
export interface ScannedFinding extends Finding {
  /** True when it was found in a decoded part of the text. It then covers the whole encoded part. */
  isDecoded: boolean
}

/** Scans a text and its decoded forms for several policies. Policies with the same finder share its findings. */
export class TextScan {
  readonly #decoded: DecodedText
  readonly #timer: WorkTimer
  readonly #isCut: boolean
  readonly #isId: boolean
  // Bounded: finders of the policies, for one text.
  readonly #found = new Map<TextFinder, ScannedFinding[]>()
  #decodings: readonly Decoding[] | undefined
  #isPlain: boolean | undefined

  /** `isCut` means that the start of the text is missing, `isId` that the text is a generated id. */
  constructor(decoded: DecodedText, timer: WorkTimer, { isCut = false, isId = false } = {}) {
    this.#decoded = decoded
    this.#timer = timer
    this.#isCut = isCut
    this.#isId = isId
  }

  /** Returns the findings of a policy. */
  async findFor({ finders, isWanted }: TextJudge): Promise<ScannedFinding[]> {
    // Bounded: finders of the policies, for one text.
    const found: ScannedFinding[] = []
    for (const finder of finders) {
      if (this.#isId && finder.ignoresIds) continue
      for (const finding of await this.#find(finder))
        if (isWanted === undefined || isWanted(finding)) found.push(finding)
    }
    return found
  }

  async #find(finder: TextFinder): Promise<ScannedFinding[]> {
    const known = this.#found.get(finder)
    if (known) return known
    const { text, positions } = this.#decoded
    this.#isPlain ??= text.length <= maxPlainCheckChars && isPlain(text)
    this.#decodings ??= await findDecodingsOfLongText(text, this.#isCut, this.#timer)
    // Bounded: finders of the policies, for one text.
    const found: ScannedFinding[] = []
    for (const finding of await this.#findIn(text, this.#isPlain, finder))
      found.push(toEncodedPositions(finding, finding, false, positions))
    for (const decoding of this.#decodings) {
      for (const finding of await this.#findIn(decoding.text, false, finder)) {
        const span = decoding.toSpan(finding.start, finding.end)
        found.push(toEncodedPositions(finding, span, true, positions))
      }
    }
    this.#found.set(finder, found)
    return found
  }

  async #findIn(text: string, isKnownPlain: boolean, finder: TextFinder): Promise<Finding[]> {
    const stride = text.length <= finder.maxWholeChars ? text.length : finder.strideChars
    // Bounded: finders of the policies, for one text.
    const found: Finding[] = []
    for (let from = 0; from < text.length; from += stride) {
      const to = Math.min(text.length, from + stride)
      for (const finding of finder.find(text, from, to, isKnownPlain)) found.push(finding)
      if (this.#timer.shouldYield()) await this.#timer.yieldToOthers()
    }
    return found
  }
}

function toEncodedPositions(
  { entity, placeholder }: Finding,
  { start, end }: { start: number; end: number },
  isDecoded: boolean,
  positions: DecodedText['positions'],
): ScannedFinding {
  if (positions === undefined) return { start, end, entity, placeholder, isDecoded }
  return { start: positions[start] ?? 0, end: positions[end] ?? 0, entity, placeholder, isDecoded }
}
