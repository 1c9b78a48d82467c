/** Names of tools, as policies judge them. */
export interface ToolNames {
  /** The name of each tool, or all of its names when it has more than one. */
  names: readonly string[]
  /** Other spellings of the names, and the classes that they belong to. */
  aliases: readonly string[]
  /** False when the names of some tools cannot be determined. */
  isReadable: boolean
}

/**
 * The most members of tools that are read in total: many times more than vendors accept, and read within
 * milliseconds.
 */
const maxMembers = 16_384

/** Collects the names of tools without duplicates. */
export class ToolNameList implements ToolNames {
  #membersRead = 0
  // Bounded: names in one request or event, whose size is bounded.
  readonly #names = new Set<string>()
  // Bounded: names in one request or event, whose size is bounded.
  readonly #aliases = new Set<string>()
  #isReadable = true

  get names(): readonly string[] {
    return [...this.#names]
  }

  get aliases(): readonly string[] {
    return [...this.#aliases].filter((alias) => !this.#names.has(alias))
  }

  get isReadable(): boolean {
    return this.#isReadable
  }

  add(name: string): void {
    this.#names.add(name)
  }

  addAlias(alias: string): void {
    this.#aliases.add(alias)
  }

  /** Must be called for every member that is read. Returns false when the maximum is reached. */
  countMember(): boolean {
    if (++this.#membersRead > maxMembers) this.markUnreadable()
    return this.#membersRead <= maxMembers
  }

  markUnreadable(): void {
    this.#isReadable = false
  }
}
