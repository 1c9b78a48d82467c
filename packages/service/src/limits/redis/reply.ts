/** The reply of a script: its kind, followed by values. */
export class Reply {
  readonly kind: string
  readonly values: readonly string[]

  constructor(reply: unknown) {
    if (!Array.isArray(reply))
      throw new TypeError(`A script must reply with a list, not with ${typeof reply}`)
    const [kind, ...values] = reply.map(String)
    this.kind = kind ?? ''
    this.values = values
  }

  numberAt(index: number): number {
    const value = Number(this.values[index])
    if (!Number.isSafeInteger(value))
      throw new TypeError(`The "${this.kind}" reply of a script has no whole number at index ${index}`)
    return value
  }
}
