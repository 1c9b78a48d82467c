/** What a script answered: a word, and what belongs to it. */
export class Reply {
  readonly word: string
  readonly texts: readonly string[]

  constructor(answer: unknown) {
    if (!Array.isArray(answer)) throw new TypeError(`A script answers with a list, not with ${typeof answer}`)
    const [word, ...rest] = answer.map(String)
    this.word = word ?? ''
    this.texts = rest
  }

  number(place: number): number {
    const value = Number(this.texts[place])
    if (!Number.isSafeInteger(value)) throw new TypeError(`${this.word}: no number in place ${place}`)
    return value
  }
}
