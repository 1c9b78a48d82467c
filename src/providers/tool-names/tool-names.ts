/** Names of tools, as policies judge them. */
export interface ToolNames {
  /** What each tool goes by: all that it does, where that is more than one name. */
  names: readonly string[]
  /** Further spellings of those, and classes that they belong to. */
  aliases: readonly string[]
  /** False where there are tools whose names cannot be told. */
  isReadable: boolean
}

/** Members of tools that are read, all together: many times what vendors take, and read in some milliseconds. */
const maxMembers = 16_384

/** Collects the names of tools, each once. */
export class ToolNameList implements ToolNames {
  #membersRead = 0
  readonly #names = new Set<string>()
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

  /** To be called for every member that is read. False when that is enough. */
  countMember(): boolean {
    if (++this.#membersRead > maxMembers) this.fail()
    return this.#membersRead <= maxMembers
  }

  fail(): void {
    this.#isReadable = false
  }
}
