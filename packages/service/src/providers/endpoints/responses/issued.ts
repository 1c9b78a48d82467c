import { asArray, asObject, asText, isObject, type JsonObject } from '@tallystick/record/json'
import { IssuedReferences, isLookedUp, type Reference } from '../../references/index.js'
import { responsesShape } from './shape.js'

/**
 * Collects the ids in a response that a later request can refer to. When the provider does not store the response,
 * only the items that a client must send back by id are collected.
 */
export class IssuedInResponse {
  readonly #issued = new IssuedReferences()
  readonly #isStored: boolean

  constructor(request: JsonObject) {
    this.#isStored = responsesShape.isStored(request)
  }

  addResponse(response: JsonObject): void {
    this.#issued.add('response', response.id)
    for (const item of asArray(response.output)) this.addItem(item)
  }

  addItem(item: unknown): void {
    if (!isObject(item)) return
    if (this.#isStored || isLookedUp(item)) this.#issued.add('item', item.id)
    this.#issued.add('container', item.container_id)
    this.#issued.add('container', asObject(item.environment).container_id)
    if (asText(item.type) !== 'message') return
    for (const part of asArray(item.content))
      for (const annotation of asArray(asObject(part).annotations)) this.#addCitation(asObject(annotation))
  }

  /** A file that code created in a container. Files found by a search are not issued with the answer. */
  #addCitation(annotation: JsonObject): void {
    if (annotation.type !== 'container_file_citation') return
    this.#issued.add('container', annotation.container_id)
    this.#issued.add('file', annotation.file_id)
  }

  list = (): readonly Reference[] => this.#issued.list()
}
