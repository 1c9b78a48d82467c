import { asArray, asObject, asText, type JsonObject } from '@tallystick/record/json'
import { IssuedReferences, type Reference } from '../../references/index.js'

/**
 * Collects the ids in a message that a later request can refer to: the container that ran code, and the files it
 * created.
 */
export class IssuedInMessage {
  readonly #issued = new IssuedReferences()

  /** Reads a message, or the last part of a streamed one. */
  addContainer(message: JsonObject): void {
    this.#issued.add('container', asObject(message.container).id)
  }

  addBlock(block: JsonObject): void {
    if (!asText(block.type).endsWith('code_execution_tool_result')) return
    for (const made of asArray(asObject(block.content).content))
      this.#issued.add('file', asObject(made).file_id)
  }

  list = (): readonly Reference[] => this.#issued.list()
}
