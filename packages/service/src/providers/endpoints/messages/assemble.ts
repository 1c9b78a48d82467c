import { asArray, asObject, type JsonObject } from '@tallystick/record/json'
import { readIndex } from '../../texts/event-path.js'
import { AssembledValues, emptyObject, itemsOf, type StreamAssembler } from '../assembler.js'

/** Assembles the events of a message. */
export class MessageAssembler implements StreamAssembler {
  readonly #values: AssembledValues
  readonly #message = emptyObject()
  readonly #blocks: (JsonObject | undefined)[] = []
  /** The pieces of a tool's input, by block. */
  // Bounded: blocks of one answer: 1,024, within the characters that are kept.
  readonly #inputs = new Map<JsonObject, string>()

  constructor(maxChars: number) {
    this.#values = new AssembledValues(maxChars)
  }

  add(event: JsonObject): void {
    switch (event.type) {
      case 'message_start': {
        const { content, ...message } = asObject(event.message)
        this.#values.merge(this.#message, message)
        for (const [at, block] of asArray(content).entries()) this.#begin(at, asObject(block))
        break
      }
      case 'content_block_start':
        this.#begin(readIndex(event.index) ?? -1, asObject(event.content_block))
        break
      case 'content_block_delta':
        this.#continue(readIndex(event.index) ?? -1, asObject(event.delta))
        break
      case 'message_delta':
        this.#values.merge(this.#message, asObject(event.delta))
        this.#values.merge(this.#message, { usage: asObject(event.usage) })
        break
      case 'error':
        this.#values.merge(this.#message, { error: event.error })
        break
      default:
    }
  }

  #begin(index: number, block: JsonObject): void {
    const begun = this.#values.item(this.#blocks, index)
    if (begun !== null) this.#values.merge(begun, block)
  }

  #continue(index: number, { type: _, ...delta }: JsonObject): void {
    const block = this.#values.item(this.#blocks, index)
    if (block === null) return
    const { partial_json, citation, ...rest } = delta
    if (typeof partial_json === 'string')
      this.#inputs.set(block, this.#values.append(this.#inputs.get(block) ?? '', partial_json))
    if (citation !== undefined) this.#values.merge(block, { citations: [citation] })
    this.#values.merge(block, rest)
  }

  answer(): JsonObject {
    const content = itemsOf(this.#blocks).map((block) => {
      const input = this.#inputs.get(block)
      return input === undefined || input === '' ? block : { ...block, input: readInput(input) }
    })
    return { ...this.#message, content }
  }

  get omittedChars(): number {
    return this.#values.omittedChars
  }
}

/** Returns the input as text when the stream ended in the middle of it. */
function readInput(json: string): unknown {
  try {
    const input: unknown = JSON.parse(json)
    return input
  } catch {
    return json
  }
}
