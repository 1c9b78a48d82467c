import { isPlain } from '../detect/fold.js'
import type { Finding } from '../detect/index.js'
import type { Judge, TextFinder } from '../kinds/judge.js'
import type { ReadText } from './json-text.js'
import type { Pace } from './pace.js'
import { scan } from './scan.js'

type TextJudge = Extract<Judge, { looksAt: 'text' }>

/** A millisecond. Of a longer text, each finder sees for itself, stride by stride, whether it must be folded. */
const mostChars = 1_000_000

/** One text under the eyes of several policies: what a finder has found is there for all who use it. */
export class Look {
  readonly #read: ReadText
  readonly #pace: Pace
  readonly #found = new Map<TextFinder, Finding[]>()
  #isPlain: boolean | undefined

  constructor(read: ReadText, pace: Pace) {
    this.#read = read
    this.#pace = pace
  }

  /** No promise where none is needed: most texts are short, and there may be thousands of them. */
  findFor({ finders, means }: TextJudge): Finding[] | Promise<Finding[]> {
    const [only] = finders
    const found = only && finders.length === 1 ? this.#find(only) : this.#findAll(finders)
    if (means === undefined) return found
    return Array.isArray(found) ? found.filter(means) : found.then((all) => all.filter(means))
  }

  #find(finder: TextFinder): Finding[] | Promise<Finding[]> {
    const known = this.#found.get(finder)
    if (known) return known
    this.#isPlain ??= this.#read.text.length <= mostChars && isPlain(this.#read.text)
    const found = scan(this.#read, finder, this.#isPlain, this.#pace)
    if (!Array.isArray(found)) return found.then((all) => this.#keep(finder, all))
    return this.#keep(finder, found)
  }

  #keep(finder: TextFinder, found: Finding[]): Finding[] {
    this.#found.set(finder, found)
    return found
  }

  async #findAll(finders: readonly TextFinder[]): Promise<Finding[]> {
    const found: Finding[] = []
    for (const finder of finders) {
      for (const finding of await this.#find(finder)) found.push(finding)
      if (this.#pace.isDue()) await this.#pace.rest()
    }
    return found
  }
}
