import { asArray, asObject, isObject, type JsonObject } from '@tallystick/record/json'
import { readIndex } from '../../texts/event-path.js'
import { AssembledValues, emptyObject, itemsOf, type StreamAssembler } from '../assembler.js'
import { isFinishReason } from './event-texts.js'

/** Assembles the chunks of a chat completion. */
export class ChatAssembler implements StreamAssembler {
  readonly #values: AssembledValues
  readonly #answer = emptyObject()
  readonly #choices: (JsonObject | undefined)[] = []

  constructor(maxChars: number) {
    this.#values = new AssembledValues(maxChars)
  }

  add({ choices, object: _, ...chunk }: JsonObject): void {
    this.#values.merge(this.#answer, chunk)
    for (const [at, given] of asArray(choices).entries()) {
      const { delta, finish_reason, index, ...rest } = asObject(given)
      const number = readIndex(index ?? at) ?? -1
      const choice = this.#values.item(this.#choices, number)
      if (choice === null) continue
      choice.index = number
      if (!isObject(choice.message)) choice.message = emptyObject()
      this.#values.merge(asObject(choice.message), asObject(delta))
      this.#values.merge(choice, rest)
      if (isFinishReason(finish_reason)) this.#values.merge(choice, { finish_reason })
      else choice.finish_reason ??= null
    }
  }

  answer(): JsonObject {
    const { usage, ...answer } = this.#answer
    const choices = itemsOf(this.#choices).map((choice) => ({
      ...choice,
      message: withoutIndexes(asObject(choice.message)),
    }))
    // A caller that did not request usage must not see it.
    return { ...answer, object: 'chat.completion', choices, ...(isObject(usage) && { usage }) }
  }

  get omittedChars(): number {
    return this.#values.omittedChars
  }
}

/** Removes the indexes of tool calls, which they have only in a stream. */
function withoutIndexes({ tool_calls: calls, ...message }: JsonObject): JsonObject {
  if (!Array.isArray(calls)) return message
  const tool_calls = calls.map((call: unknown) => {
    const { index: _, ...rest } = asObject(call)
    return rest
  })
  return { ...message, tool_calls }
}
