import type { Json } from './json.js'

/** What the vendor stores between calls, in tokens: responses, their items, conversations and cached prompts. */
export class VendorState {
  readonly #responses = new Map<string, number>()
  readonly #items = new Map<string, Json>()
  readonly #conversations = new Map<string, number>()
  readonly #cached = new Set<string>()

  /** Tokens of a response that was answered here, or of one from elsewhere: `resp_held_100000`. Null: there is none. */
  response(id: string): number | null {
    return this.#responses.get(id) ?? sizeInName(id)
  }

  keepResponse(id: string, tokens: number, items: readonly { id: string; item: Json }[]): void {
    this.#responses.set(id, tokens)
    for (const { id: itemId, item } of items) this.#items.set(itemId, item)
  }

  item(id: string): Json | number | null {
    return this.#items.get(id) ?? sizeInName(id)
  }

  conversation(id: string): number | null {
    return this.#conversations.get(id) ?? sizeInName(id)
  }

  keepConversation(id: string, tokens: number): void {
    this.#conversations.set(id, tokens)
  }

  /** Whether this prefix was cached before; from now on it is. */
  cache(prefix: string): boolean {
    const before = this.#cached.has(prefix)
    this.#cached.add(prefix)
    return before
  }

  forget(): void {
    this.#responses.clear()
    this.#items.clear()
    this.#conversations.clear()
    this.#cached.clear()
  }
}

function sizeInName(id: string): number | null {
  const held = /_held_(\d+)/.exec(id)
  return held ? Number(held[1]) : null
}
