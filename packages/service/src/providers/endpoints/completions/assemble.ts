import { asArray, asObject, isObject, type JsonObject } from '@tallystick/record/json'
import { readIndex } from '../../texts/event-path.js'
import { AssembledValues, emptyObject, itemsOf, type StreamAssembler } from '../assembler.js'
import { isFinishReason } from '../chat/event-texts.js'

/** Assembles the chunks of a completion. */
export class CompletionAssembler implements StreamAssembler {
  readonly #values: AssembledValues
  readonly #answer = emptyObject()
  readonly #choices: (JsonObject | undefined)[] = []

  constructor(maxChars: number) {
    this.#values = new AssembledValues(maxChars)
  }

  add({ choices, ...chunk }: JsonObject): void {
    this.#values.merge(this.#answer, chunk)
    for (const [at, given] of asArray(choices).entries()) {
      const { finish_reason, index, ...rest } = asObject(given)
      const number = readIndex(index ?? at) ?? -1
      const choice = this.#values.item(this.#choices, number)
      if (choice === null) continue
      choice.index = number
      choice.text ??= ''
      this.#values.merge(choice, rest)
      if (isFinishReason(finish_reason)) this.#values.merge(choice, { finish_reason })
      else choice.finish_reason ??= null
    }
  }

  answer(): JsonObject {
    const { usage, ...answer } = this.#answer
    // A caller that did not request usage must not see it.
    return { ...answer, choices: itemsOf(this.#choices), ...(isObject(usage) && { usage }) }
  }

  get omittedChars(): number {
    return this.#values.omittedChars
  }
}
