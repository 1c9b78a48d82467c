/** What a text must have in it for a pattern to match: at least one of these. */
export interface RequiredText {
  anyOf: string[]
  ignoreCase: boolean
}

/**
 * Reads from a pattern what every match of it must contain, as far as that is plain to see: `\bEMP-[0-9]{6}\b` needs
 * an `EMP-`. To look for that takes a hundredth of what the pattern itself takes. Null where nothing can be told.
 */
export function findRequiredText(regex: string): RequiredText | null {
  const flags = /^\(\?([a-zA-Z]+)\)/.exec(regex)
  const body = flags ? regex.slice(flags[0].length) : regex
  // Flags in the middle, quoted stretches and numbered characters are rare: whoever uses them gets no short cut.
  if (/\(\?[a-zA-Z-]*i|\\[QxC0-9]|[^\x20-\x7e]/.test(body)) return null
  const anyOf = new Reader(body).readAlternatives()
  return anyOf === null ? null : { anyOf, ignoreCase: flags?.[1]?.includes('i') === true }
}

/** Texts of which a match has one; null for a part that says nothing. */
type AnyOf = string[] | null

class Reader {
  readonly #regex: string
  #at = 0

  constructor(regex: string) {
    this.#regex = regex
  }

  /** Until the end of the pattern, or of the group. */
  readAlternatives(): AnyOf {
    const branches: AnyOf[] = [this.#readSequence()]
    while (this.#regex[this.#at] === '|') {
      this.#at++
      branches.push(this.#readSequence())
    }
    return branches.includes(null) ? null : branches.flatMap((branch) => branch ?? [])
  }

  #readSequence(): AnyOf {
    let best: AnyOf = null
    let run = ''
    const endRun = (next = '') => {
      best = better(best, run === '' ? null : [run])
      run = next
    }
    while (this.#at < this.#regex.length && !'|)'.includes(this.#regex[this.#at] ?? '')) {
      const { literal, anyOf, isEmpty } = this.#readItem()
      const { least, repeats } = this.#readRepeat()
      if (isEmpty) continue
      if (literal !== null && least > 0) {
        run += literal
        if (repeats) endRun(literal)
      } else {
        endRun()
        if (least > 0) best = better(best, anyOf)
      }
    }
    endRun()
    return best
  }

  #readItem(): { literal: string | null; anyOf: AnyOf; isEmpty: boolean } {
    const thing = (anyOf: AnyOf) => ({ literal: null, anyOf, isEmpty: false })
    const nothing = { literal: null, anyOf: null, isEmpty: true }
    const character = this.#regex[this.#at++] ?? ''
    switch (character) {
      case '\\':
        return this.#readEscape()
      case '[':
        this.#skipClass()
        return thing(null)
      case '(': {
        const opening = /^\?(?:P?<\w+>|[a-zA-Z-]*:|[a-zA-Z-]*(?=\)))/.exec(this.#regex.slice(this.#at))
        this.#at += opening?.[0].length ?? 0
        const anyOf = this.readAlternatives()
        this.#at++
        return thing(anyOf)
      }
      case '.':
        return thing(null)
      case '^':
      case '$':
        return nothing
      default:
        return { literal: character, anyOf: null, isEmpty: false }
    }
  }

  #readEscape(): { literal: string | null; anyOf: AnyOf; isEmpty: boolean } {
    const escaped = this.#regex[this.#at++] ?? ''
    if ('bBAz'.includes(escaped)) return { literal: null, anyOf: null, isEmpty: true }
    if (/[pP]/.test(escaped)) {
      const end = this.#regex[this.#at] === '{' ? this.#regex.indexOf('}', this.#at) : this.#at
      this.#at = end + 1
    }
    return { literal: /\w/.test(escaped) ? null : escaped, anyOf: null, isEmpty: false }
  }

  #skipClass(): void {
    if (this.#regex[this.#at] === '^') this.#at++
    if (this.#regex[this.#at] === ']') this.#at++
    while (this.#at < this.#regex.length && this.#regex[this.#at] !== ']') {
      if (this.#regex[this.#at] === '\\') this.#at++
      else if (this.#regex.startsWith('[:', this.#at)) this.#at = this.#regex.indexOf(':]', this.#at) + 1
      this.#at++
    }
    this.#at++
  }

  #readRepeat(): { least: number; repeats: boolean } {
    const [repeat = '', count] =
      /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.#regex.slice(this.#at, this.#at + 16)) ?? []
    this.#at += repeat.length
    if (repeat === '') return { least: 1, repeats: false }
    const least = repeat.startsWith('+') ? 1 : Number(count ?? 0)
    return { least, repeats: true }
  }
}

/** The rarer the better: the one whose shortest text is longer. */
function better(one: AnyOf, other: AnyOf): AnyOf {
  if (one === null || other === null) return one ?? other
  return shortest(other) > shortest(one) ? other : one
}

const shortest = (texts: string[]) => Math.min(...texts.map((text) => text.length))
