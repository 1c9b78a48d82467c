/**
 * A map of at most so many entries: the one that was set longest ago goes first. For what can be read or made again, by a name that
 * callers, keys or tenants bring along.
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
