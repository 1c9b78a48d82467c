import { isPlain } from '../detect/fold.js'
import type { Finding } from '../detect/index.js'
import type { Judge, TextFinder } from '../kinds/judge.js'
import type { DecodedText } from './json-text.js'
import type { Reading } from './reading.js'
import { readLongEncoded } from './readings.js'
import type { WorkTimer } from './work-timer.js'

type TextJudge = Extract<Judge, { subject: 'text' }>

/** Takes some milliseconds. Of a longer text, each finder sees for itself, stride by stride, whether it must be folded. */
const maxPlainCheckChars = 65_536

/** A finding, by positions in the encoded text. */
export interface ScannedFinding extends Finding {
  /** It stands in what a part of the text says when it is decoded, and covers that part. */
  isDecoded: boolean
}

/** Scans one text, and what it says when it is decoded, for several policies. Policies with the same finder share what it finds. */
export class TextScan {
  readonly #decoded: DecodedText
  readonly #timer: WorkTimer
  readonly #isCut: boolean
  readonly #isId: boolean
  readonly #found = new Map<TextFinder, ScannedFinding[]>()
  #readings: readonly Reading[] | undefined
  #isPlain: boolean | undefined

  /** `isCut`: the start of the text is missing. `isId`: it is an id that a machine made. */
  constructor(decoded: DecodedText, timer: WorkTimer, { isCut = false, isId = false } = {}) {
    this.#decoded = decoded
    this.#timer = timer
    this.#isCut = isCut
    this.#isId = isId
  }

  /** What a policy finds. */
  async findFor({ finders, isWanted }: TextJudge): Promise<ScannedFinding[]> {
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
    this.#readings ??= await readLongEncoded(text, this.#isCut, this.#timer)
    const found: ScannedFinding[] = []
    for (const finding of await this.#findIn(text, this.#isPlain, finder))
      found.push(toEncodedPositions(finding, finding, false, positions))
    for (const reading of this.#readings) {
      for (const finding of await this.#findIn(reading.text, false, finder)) {
        const span = reading.toSpan(finding.start, finding.end)
        found.push(toEncodedPositions(finding, span, true, positions))
      }
    }
    this.#found.set(finder, found)
    return found
  }

  async #findIn(text: string, isKnownPlain: boolean, finder: TextFinder): Promise<Finding[]> {
    const stride = text.length <= finder.maxWholeChars ? text.length : finder.strideChars
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
