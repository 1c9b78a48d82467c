import { asArray, asObject, asText, isObject, type JsonObject, readModelName } from '@tallystick/record/json'
import type { BodyAccount } from '../../../http/index.js'
import { EventSplitter, isDone, type StreamEvent } from '../../../providers/index.js'
import { streamErrorMessage } from './error-message.js'

/** An answer that a later call can continue. */
export interface KeptAnswer {
  id: string
  /** The items as JSON, separated by commas. Null when there was no room for them. */
  items: Buffer | null
}

/** The memory of an item beside its text. */
const itemBytes = 128

/** Converts the events of an answer into messages, and stores the answer for the next call. */
export class AnswerMessages {
  readonly #splitter = new EventSplitter()
  readonly #account: BodyAccount
  // Bounded: counted for the key with its other bodies; beyond the limit, nothing is stored.
  readonly #items = new Map<number, { json: string; isLookedUp: boolean }>()
  #hasRoom = true
  #id: string | null = null

  constructor(account: BodyAccount) {
    this.#account = account
  }

  /** Adds an event of an answer that is not a stream. */
  add(event: JsonObject): string {
    this.#remember(event)
    return JSON.stringify(event)
  }

  push(bytes: Buffer): string[] {
    return this.#splitter.push(bytes).flatMap((event) => this.#toMessage(event))
  }

  /** Ends the stream. Its last event may lack the blank line. */
  end(bytes: Buffer): string[] {
    const messages = this.push(bytes)
    const rest = this.#splitter.takeRest()
    return rest === null ? messages : [...messages, ...this.#toMessage(rest)]
  }

  /**
   * Returns the answer, or null when it is incomplete. If the provider does not store it, reasoning items that the provider would have to
   * look up are left out.
   */
  answer(isStored: boolean): KeptAnswer | null {
    if (this.#id === null) return null
    if (!this.#hasRoom) return { id: this.#id, items: null }
    const items = [...this.#items]
      .sort(([a], [b]) => a - b)
      .flatMap(([, { json, isLookedUp }]) => (isStored || !isLookedUp ? [json] : []))
    return { id: this.#id, items: Buffer.from(items.join(',')) }
  }

  /** Converts an event. Comments that keep the connection alive and the end marker have no message. */
  #toMessage(event: StreamEvent): string[] {
    const { content, data } = event
    if (content === null || isDone(data)) return []
    this.#remember(content)
    return [content.type === 'error' ? streamErrorMessage(content) : data]
  }

  #remember(event: JsonObject): void {
    const type = asText(event.type)
    if (type === 'response.output_item.done') this.#addItem(event.output_index, event.item)
    if (type !== 'response.completed' && type !== 'response.incomplete') return
    const response = asObject(event.response)
    this.#id = readModelName(response.id)
    if (this.#items.size === 0)
      for (const [index, item] of asArray(response.output).entries()) this.#addItem(index, item)
  }

  #addItem(index: unknown, item: unknown): void {
    if (!this.#hasRoom || !isObject(item)) return
    const json = JSON.stringify(item)
    try {
      this.#account.take(Buffer.byteLength(json) + itemBytes)
      const isLookedUp = item.type === 'reasoning' && typeof item.encrypted_content !== 'string'
      this.#items.set(typeof index === 'number' ? index : this.#items.size, { json, isLookedUp })
    } catch {
      this.#hasRoom = false
      this.#items.clear()
    }
  }
}
