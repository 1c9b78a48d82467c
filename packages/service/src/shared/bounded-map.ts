/**
 * A map with a maximum number of entries, which drops the entry that was set longest ago. For values that can be read or created again,
 * with keys that callers or tenants choose.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number
  readonly #onDropped: (key: Key, value: Value) => void

  constructor(max: number, onDropped: (key: Key, value: Value) => void = () => undefined) {
    super()
    this.#max = max
    this.#onDropped = onDropped
  }

  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#max) this.#dropOldest()
    return this
  }

  #dropOldest(): void {
    for (const [key, value] of this) {
      this.delete(key)
      this.#onDropped(key, value)
      return
    }
  }
}
