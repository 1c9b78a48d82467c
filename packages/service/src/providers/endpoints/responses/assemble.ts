import { asArray, asObject, asText, isObject, type JsonObject, writeJson } from '@tallystick/record/json'
import { readIndex } from '../../texts/event-path.js'
import { AssembledValues, emptyObject, itemsOf, type StreamAssembler } from '../assembler.js'

/**
 * Assembles the events of a response. The last event repeats the whole response; earlier events matter when the
 * stream was cut.
 */
export class ResponseAssembler implements StreamAssembler {
  readonly #maxChars: number
  readonly #values: AssembledValues
  readonly #response = emptyObject()
  readonly #items: (JsonObject | undefined)[] = []
  /** The response with its output, from the last event. */
  #whole: JsonObject | null = null

  constructor(maxChars: number) {
    this.#maxChars = maxChars
    this.#values = new AssembledValues(maxChars)
  }

  add(event: JsonObject): void {
    const type = asText(event.type)
    if (isObject(event.response)) this.#addResponse(event.response)
    else if (type === 'error') this.#values.merge(this.#response, { error: event.error ?? event })
    else this.#addToItem(type, event)
  }

  #addResponse(response: JsonObject): void {
    const { output, ...rest } = response
    if (asArray(output).length > 0 && writeJson(response).length <= this.#maxChars) this.#whole = response
    for (const [name, value] of Object.entries(rest)) {
      const isNew = !(name in this.#response)
      if (!isNew || this.#values.take(name.length + writeJson(value).length)) this.#response[name] = value
    }
  }

  #addToItem(type: string, event: JsonObject): void {
    const item = this.#values.item(this.#items, readIndex(event.output_index) ?? -1)
    if (item === null) return
    if (type === 'response.output_item.added') this.#values.merge(item, asObject(event.item))
    else if (type === 'response.output_item.done') this.#finish(item, asObject(event.item))
    else if (isObject(event.part)) this.#addPart(type, item, event, event.part)
    else if (type.endsWith('.delta') && typeof event.delta === 'string')
      this.#continue(type, item, event, event.delta)
  }

  /** Stores a finished item. It repeats what was received, so it takes no additional space. */
  #finish(item: JsonObject, done: JsonObject): void {
    const { content, summary, ...rest } = done
    for (const [name, value] of Object.entries(rest))
      if (!(name in item) || typeof value !== 'string') this.#values.merge(item, { [name]: value })
      else if (value.length <= asText(item[name]).length) item[name] = value
    for (const [list, parts] of [
      ['content', content],
      ['summary', summary],
    ] as const)
      if (asArray(item[list]).length === 0 && Array.isArray(parts) && parts.length > 0)
        this.#values.merge(item, { [list]: parts })
  }

  #addPart(type: string, item: JsonObject, event: JsonObject, part: JsonObject): void {
    const begun = this.#partOf(item, event)
    if (begun !== null && type.endsWith('.added')) this.#values.merge(begun, part)
  }

  #continue(type: string, item: JsonObject, event: JsonObject, delta: string): void {
    const [, member] = /_(arguments|code|input)\.delta$/.exec(type) ?? []
    if (member !== undefined) this.#values.merge(item, { [member]: delta })
    else {
      const part = this.#partOf(item, event)
      if (part !== null) this.#values.merge(part, { [type.includes('refusal') ? 'refusal' : 'text']: delta })
    }
  }

  #partOf(item: JsonObject, { content_index, summary_index }: JsonObject): JsonObject | null {
    const list = summary_index === undefined ? 'content' : 'summary'
    const parts = Array.isArray(item[list]) ? item[list] : []
    item[list] = parts
    return this.#values.item(parts, readIndex(summary_index ?? content_index) ?? -1)
  }

  answer(): JsonObject {
    return this.#whole ?? { ...this.#response, output: itemsOf(this.#items) }
  }

  get omittedChars(): number {
    return this.#whole === null ? this.#values.omittedChars : 0
  }
}
